/* Who is at work while nobody waits, found and kept. */
#ifndef PTYHOST_WORKER_H
#define PTYHOST_WORKER_H

#include "facts.h"
#include "proctree.h"
#include "waiter.h"

#include <stddef.h>

/* What the process's main thread does instead of waiting on a terminal, and how long at most where it polls. */
enum activity worker_activity(const struct process_stat *, int32_t *timeout_ms);
/* Notes in the facts who is at work. False when that one has begun to wait on the terminal meanwhile. */
bool worker_note(struct search *, const struct process_stat *processes, size_t count);
/* The process that was at work still is: most samples of a busy program end here. */
bool worker_works_on(struct facts_cache *, struct facts *);
void worker_forget(struct facts_worker *);
/* The facts of the last sample, except what the terminal itself has just reported. */
void facts_repeat(const struct facts_cache *, struct facts *);

#endif
