/* The interface of the loop to the system: epoll on Linux, kqueue on macOS. */
#ifndef PTYHOST_POLLER_H
#define PTYHOST_POLLER_H

#include "loop.h"

#include <stddef.h>
#include <time.h>

struct happened {
	struct source *source;
	uint32_t events;
};

bool poller_open(void);
/* Changes from the events in `source->events` to these; 0 removes the descriptor. */
bool poller_change(const struct source *, uint32_t events);
/* Returns the number of events, at most `max`; 0 after the time-out, -1 with errno. NULL waits without a limit. */
int poller_wait(struct happened *, int max, const struct timespec *timeout);
/* Makes these signals call `caught` and do nothing else. */
bool poller_catch_signals(const int *numbers, size_t count, void (*caught)(int));

#endif
