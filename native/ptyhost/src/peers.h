/*
 * Identifies the processes that connect to the daemon. Node cannot read the peer of a socket, so the daemon starts this helper
  * once, with Node's channel for child processes. Each connection arrives over it as a descriptor. The number of the peer
  * process is returned in the same order; 0 if the system does not report it.
 */
#ifndef PTYHOST_PEERS_H
#define PTYHOST_PEERS_H

/* The program of `ptyhost --peers`; it ends with the daemon. */
int peers_main(int argc, char **argv);
/* With the channel after the standard ones. */
enum { PEERS_DESCRIPTORS = 4 };

#endif
