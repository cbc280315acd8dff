/*
 * Who connects to the daemon. Node cannot ask a socket for the process at its other end, so the daemon starts this once,
 * with the channel that Node gives to its own kind: each connection comes over it as a descriptor, and the number of the
 * process that made it goes back, in the order of coming; 0 where the system does not say.
 */
#ifndef PTYHOST_PEERS_H
#define PTYHOST_PEERS_H

/* What `ptyhost --peers` runs; it ends with the daemon. */
int peers_main(int argc, char **argv);
/* With the channel after the standard ones. */
enum { PEERS_DESCRIPTORS = 4 };

#endif
