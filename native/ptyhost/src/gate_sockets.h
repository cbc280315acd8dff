/* Sockets that programs make in a file system. */
#ifndef PTYHOST_GATE_SOCKETS_H
#define PTYHOST_GATE_SOCKETS_H

#include <linux/seccomp.h>

/* A call that binds a socket goes on now. The file that it makes is the terminal's own, as any file that its programs make. */
void gate_sockets_expect(const struct seccomp_notif *);

#endif
