/* Finds and caches the process that works while no thread waits. */
#ifndef PTYHOST_WORKER_H
#define PTYHOST_WORKER_H

#include "facts.h"
#include "proctree.h"
#include "waiter.h"

#include <stddef.h>

/* The activity of the process's main thread instead of a wait on a terminal, and the time-out of its poll. */
enum activity worker_activity(const struct process_stat *, int32_t *timeout_ms);
/* Records the working process in the facts. False when it has started to wait on the terminal meanwhile. */
bool worker_note(struct search *, const struct process_stat *processes, size_t count);
/* True if the process that worked still works: most samples of a busy program end here. */
bool worker_works_on(struct facts_cache *, struct facts *);
void worker_forget(struct facts_worker *);
/* The facts of the last sample, except what the terminal itself has just reported. */
void facts_repeat(const struct facts_cache *, struct facts *);

#endif
