/* Takes one sample of a session's programs. Between watches it keeps the caches of the sessions sampled last. */
#ifndef PTYHOST_SESSION_SAMPLE_H
#define PTYHOST_SESSION_SAMPLE_H

#include "session.h"

/* The total cost of all samples so far. */
struct watch_costs {
	uint64_t samples, cpu_ns;
};
extern struct watch_costs watch_costs;
/* Sessions that are sampled. */
extern unsigned watches_on;

/* Samples the kernel's facts about the session's terminal. */
void watch_sample(struct session *, struct facts *);
struct facts_terminal watch_terminal(const struct session *);
/* Retains the open files of the waiter for the next watch, while few other sessions have done the same since. */
void watch_keep_cache(struct watch *);
/* A watch uses the cache again. */
void watch_take_cache(struct watch *);
void watch_end_cache(struct watch *);

#endif
