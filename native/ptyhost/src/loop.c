#include "loop.h"

#include "limits.h"
#include "poller.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { BATCH_MAX = 128 };

struct grave {
	struct grave *next;
};

static struct timer *armed;
static struct grave *graves;

bool loop_init(void) { return poller_open(); }

bool loop_catch_signals(const int *numbers, size_t count, void (*caught)(int))
{
	return poller_catch_signals(numbers, count, caught);
}

uint64_t loop_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 * MS + (uint64_t)time.tv_nsec;
}

bool loop_watch(struct source *source, uint32_t events)
{
	if (events == source->events)
		return true;
	if (!poller_change(source, events))
		return false;
	source->events = events;
	return true;
}

void timer_arm(struct timer *timer, uint64_t at)
{
	timer->at = at;
	if (timer->link)
		return;
	timer->next = armed;
	timer->link = &armed;
	if (armed)
		armed->link = &timer->next;
	armed = timer;
}

void timer_disarm(struct timer *timer)
{
	if (!timer->link)
		return;
	*timer->link = timer->next;
	if (timer->next)
		timer->next->link = timer->link;
	timer->link = NULL;
}

void loop_free_later(void *memory)
{
	struct grave *grave = memory;
	grave->next = graves;
	graves = grave;
}

static void bury(void)
{
	while (graves) {
		struct grave *grave = graves;
		graves = grave->next;
		free(grave);
	}
}

/* A timer's handler may arm, disarm or free any other timer, so the list is read from its start after each one. */
static void fire_timers(void)
{
	uint64_t now = loop_now();
	for (struct timer *timer = armed; timer;) {
		if (timer->at > now) {
			timer = timer->next;
			continue;
		}
		timer_disarm(timer);
		timer->fire(timer);
		timer = armed;
	}
}

static const struct timespec *until_next_timer(struct timespec *timeout)
{
	if (!armed)
		return NULL;
	uint64_t first = UINT64_MAX, now = loop_now();
	for (struct timer *timer = armed; timer; timer = timer->next)
		if (timer->at < first)
			first = timer->at;
	uint64_t left = first > now ? first - now : 0;
	timeout->tv_sec = (time_t)(left / (1000 * MS));
	timeout->tv_nsec = (long)(left % (1000 * MS));
	return timeout;
}

void loop_run(bool (*go_on)(void), void (*after_batch)(void))
{
	struct happened batch[BATCH_MAX];
	while (go_on()) {
		struct timespec timeout;
		int count = poller_wait(batch, BATCH_MAX, until_next_timer(&timeout));
		if (count < 0 && errno != EINTR)
			abort();
		for (int i = 0; i < count; i++) {
			struct source *source = batch[i].source;
			if (source->events) /* an earlier handler of this batch may have removed it */
				source->ready(source, batch[i].events);
		}
		fire_timers();
		after_batch();
		bury();
	}
}
