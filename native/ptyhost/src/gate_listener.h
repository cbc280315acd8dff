/* The listener of a gate's filter: receives trapped calls and answers them. */
#ifndef PTYHOST_GATE_LISTENER_H
#define PTYHOST_GATE_LISTENER_H

#include "gate_trap.h"

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns room for a call, or NULL with errno. */
struct seccomp_notif *gate_listener_open(int listener);
/* False when the process has ended meanwhile. */
bool gate_receive(struct seccomp_notif *);
/* False once the thread has been interrupted or has ended. */
bool gate_is_waiting(const struct seccomp_notif *);
/* The kernel makes the call. */
void gate_let_go_on(const struct seccomp_notif *);
/* The call gets this result. False if its thread does not wait for it any more. */
bool gate_answer_with(const struct seccomp_notif *, int32_t problem, int64_t value);
/* The descriptor becomes the result of the call, and is closed. */
void gate_give(const struct seccomp_notif *, const struct gate_result *);

#endif
