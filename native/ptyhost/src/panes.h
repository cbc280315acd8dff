/* The inner terminals of a session, such as the panes of a multiplexer, and the one that receives its input. */
#ifndef PTYHOST_PANES_H
#define PTYHOST_PANES_H

#include "facts.h"
#include "proctree.h"

#include <stddef.h>

struct inner {
	dev_t device;
	pid_t foreground;
};

/* The inner terminals of these processes, ordered by their oldest process; at most PANES_MAX. */
size_t inner_terminals(const struct facts_terminal *, const struct process_stat *, size_t count, struct inner *);
/* Records the waiting processes and their time slices just before input is written. */
void panes_note(struct panes *, const struct inner *, size_t count, const struct process_stat *, size_t processes);
/* True if the relay has started a process without a terminal since the last input: it may open a new pane. */
bool panes_start(const struct panes *, pid_t relay, const struct process_stat *, size_t processes);
/* Chooses the active one: a new one, else the one that took the last input, else one that took input before, else one with a
 * waiter, else the newest. While the relay is passing input on, no pane is known to have taken it, or to rest. */
size_t panes_choose(struct panes *, bool passing, const struct inner *, size_t count, const struct process_stat *,
                    size_t processes);

#endif
