/* When the samples of a session are due. */
#ifndef PTYHOST_SESSION_STEPS_H
#define PTYHOST_SESSION_STEPS_H

#include "session.h"

enum { BUSY_STEPS_MAX = 18, REST_STEPS_MAX = 6 };

/* Something happened that may change who waits: sample again soon. */
void watch_resample(struct session *);
void watch_resample_after_output(struct session *);
/* How long until the next sample; 0 when none is needed before something happens. */
uint64_t watch_next_step(struct watch *, const struct facts *, bool complete);

#endif
