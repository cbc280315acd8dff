/*
 * Replaces a supervisor that a file system does not answer: a path on a lost server would make every call of the terminal wait. No signal ends a process
 * that waits so, so the keeper sees to it, and starts the next supervisor, which fails the call.
 */
#ifndef PTYHOST_GATE_WATCH_H
#define PTYHOST_GATE_WATCH_H

#include <stdbool.h>

/* In the keeper: the timer that it shares with the supervisor, readable when its time is over; -1 with errno. */
int gate_watch_make(void);
/* The supervisor's time is over, and it will not go on. False when it has come to its end meanwhile. */
bool gate_watch_is_over(int timer);

/* In the supervisor. From `begin` to `end` it has 2 s. Only for what changes nothing. */
void gate_watch_init(int timer);
void gate_watch_begin(void);
void gate_watch_end(void);

#endif
