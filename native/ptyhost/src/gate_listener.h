/* The listener of a gate's filter: receives trapped calls. gate_replies.h answers them. */
#ifndef PTYHOST_GATE_LISTENER_H
#define PTYHOST_GATE_LISTENER_H

#include <linux/seccomp.h>
#include <stdbool.h>

/* Returns room for a call, or NULL with errno. */
struct seccomp_notif *gate_listener_open(int listener);
/* False when the process has ended meanwhile. */
bool gate_receive(struct seccomp_notif *);

#endif
