/* Has the program taken the input that was written last? */
#ifndef PTYHOST_SESSION_PROOF_H
#define PTYHOST_SESSION_PROOF_H

#include "session.h"

/* Sets `consumed` once the sample proves it. */
void watch_judge_consumed(struct watch *, const struct facts *);
/* What the kernel says now, and whom it is asked about. */
void watch_sample(struct session *, struct facts *);
/* Nobody watches now: what is open of its waiter stays so for the next call, while not too many others have done the same since. */
void watch_keep_cache(struct watch *);
struct facts_terminal watch_terminal(const struct session *);

#endif
