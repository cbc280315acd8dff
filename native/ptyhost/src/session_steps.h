/* Decides when the next sample of a session is due. */
#ifndef PTYHOST_SESSION_STEPS_H
#define PTYHOST_SESSION_STEPS_H

#include "session.h"

enum { BUSY_STEPS_MAX = 18, REST_STEPS_MAX = 6 };

/* To be called after an event that may change the waiter: samples again soon. */
void watch_resample(struct session *);
void watch_resample_after_output(struct session *);
/* The time until the next sample, in ns; 0 when none is needed before something happens. */
uint64_t watch_next_step(struct watch *, const struct facts *, bool complete);

#endif
