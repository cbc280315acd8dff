/* Terminals inside a session's own, as the panes of a multiplexer, and which of them its input goes to. */
#ifndef PTYHOST_PANES_H
#define PTYHOST_PANES_H

#include "facts.h"
#include "proctree.h"

#include <stddef.h>

struct inner {
	dev_t device;
	pid_t foreground;
};

/* The terminals inside that these processes have, in the order of their oldest; at most PANES_MAX. */
size_t inner_terminals(const struct facts_terminal *, const struct process_stat *, size_t count, struct inner *);
/* Notes who waits on them just before input goes out, and with how many time slices. */
void panes_note(struct panes *, const struct inner *, size_t count, const struct process_stat *, size_t processes);
/* The relay has started something since the last input that has no terminal yet: it may open one more inside. */
bool panes_start(const struct panes *, pid_t relay, const struct process_stat *, size_t processes);
/* Which one is meant: one that is new, else whoever took the last input, else took one before, else waits, else is the
 * newest. As long as the relay is passing input on, nobody is known to have taken it, or to rest. */
size_t panes_choose(struct panes *, bool passing, const struct inner *, size_t count, const struct process_stat *,
                    size_t processes);

#endif
