/*
 * The replies of the supervisor to calls.
 *
 * A signal can take a call away from the supervisor while it is performed. The thread makes the same call again, and must get the result of the one
 * that was performed: a folder is not made twice.
 */
#ifndef PTYHOST_GATE_REPLIES_H
#define PTYHOST_GATE_REPLIES_H

#include "gate_trap.h"

#include <stdbool.h>
#include <stdint.h>

void gate_replies_begin(int listener);

/* False when its thread no longer waits: it was interrupted, or has ended. */
bool gate_is_waiting(const struct seccomp_notif *);

/* The kernel goes on with the call. */
void gate_let_go_on(const struct seccomp_notif *);
/* The call fails with a problem, and nothing was performed. */
void gate_refuse(const struct seccomp_notif *, int32_t problem);
/* Gives the result of a performed call, and keeps it for a while where it does not reach its thread. `has_made`: the call has made its file. */
void gate_give(const struct seccomp_notif *, const struct gate_result *, bool has_made);
/* True for a call that is made again: it has the kept result. */
bool gate_give_again(const struct seccomp_notif *);

/* Forgets results that were kept too long. Returns the time until the next one in ms, or -1. */
int gate_replies_expire(void);

#endif
