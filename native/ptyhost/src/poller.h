/* What the loop needs of the system: epoll on Linux, kqueue on macOS. */
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
/* From the events in `source->events` to these; 0 takes the descriptor out. */
bool poller_change(const struct source *, uint32_t events);
/* How much happened, at most `max`; 0 after the time-out, -1 with errno. NULL waits without end. */
int poller_wait(struct happened *, int max, const struct timespec *timeout);
/* From now on these signals call `caught` and do nothing else. */
bool poller_catch_signals(const int *numbers, size_t count, void (*caught)(int));

#endif
