/* Finds and caches the thread that waits on a terminal. */
#ifndef PTYHOST_WAITER_H
#define PTYHOST_WAITER_H

#include "facts.h"
#include "proctree.h"

#include <stddef.h>

/* One search: the terminal, the candidates and the result. */
struct search {
	dev_t device;
	pid_t foreground;
	struct facts_cache *cache;
	struct facts *facts;
	bool signals; /* also search for processes that receive a signal for input */
};

/* True if the cached thread still waits, or runs: most samples need no search. */
bool waiter_kept_waits(struct search *);
bool waiter_kept_runs(struct search *);
/* Checks the cached thread first, then the others; records the waiter in the facts. */
bool waiter_search(struct search *, const struct process_stat *processes, size_t count);
/* True if its process has the other end of an inner terminal. */
bool waiter_is_relay(const struct facts_cache *);
void waiter_note(struct facts *, struct facts_cache *);
void waiter_clear(struct facts *);
/* Closes the cached files of the waiting thread, and nothing else. */
void waiter_forget(struct facts_cache *);

#endif
