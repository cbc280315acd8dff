/* Which thread waits on a terminal, found and kept. */
#ifndef PTYHOST_WAITER_H
#define PTYHOST_WAITER_H

#include "facts.h"
#include "proctree.h"

#include <stddef.h>

/* One search: the terminal in question, who may wait on it, and what comes of it. */
struct search {
	dev_t device;
	pid_t foreground;
	struct facts_cache *cache;
	struct facts *facts;
	bool signals; /* look also for processes that are sent a signal when input comes */
};

/* The kept thread still waits, or runs: most samples need no search. */
bool waiter_kept_waits(struct search *);
bool waiter_kept_runs(struct search *);
/* The kept thread first, then the others; notes in the facts who waits. */
bool waiter_search(struct search *, const struct process_stat *processes, size_t count);
/* Its process has the other end of a terminal inside. */
bool waiter_is_relay(const struct facts_cache *);
void waiter_note(struct facts *, struct facts_cache *);
void waiter_clear(struct facts *);
/* Closes what is kept of the waiting thread, and nothing else. */
void waiter_forget(struct facts_cache *);

#endif
