#include "loop.h"

#include "limits.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BATCH_MAX = 128 };

struct grave {
	struct grave *next;
};

static int epoll_fd = -1;
static struct timer *armed;
static struct grave *graves;

bool loop_init(void)
{
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	return epoll_fd >= 0;
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
	int operation = !events ? EPOLL_CTL_DEL : source->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
	struct epoll_event event = {.events = events, .data.ptr = source};
	if (epoll_ctl(epoll_fd, operation, source->fd, &event) < 0)
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

/* A timer's handler may arm, disarm or free any other, so after each one the list is read from its start again. */
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

/* epoll_pwait2 is younger (Linux 5.11) than kernels that are in use, and than some C libraries, hence the bare call. An
 * older kernel waits by ppoll instead: as precise, one call more. */
static int wait_for_events(struct epoll_event *batch, const struct timespec *timeout)
{
	static bool is_missing;
	if (!is_missing) {
		int count = (int)syscall(SYS_epoll_pwait2, epoll_fd, batch, BATCH_MAX, timeout, NULL, 0);
		if (count >= 0 || errno != ENOSYS)
			return count;
		is_missing = true;
	}
	struct pollfd any = {.fd = epoll_fd, .events = POLLIN};
	if (ppoll(&any, 1, timeout, NULL) < 0)
		return -1;
	return epoll_wait(epoll_fd, batch, BATCH_MAX, 0);
}

void loop_run(bool (*go_on)(void), void (*after_batch)(void))
{
	struct epoll_event batch[BATCH_MAX];
	while (go_on()) {
		struct timespec timeout;
		int count = wait_for_events(batch, until_next_timer(&timeout));
		if (count < 0 && errno != EINTR)
			abort();
		for (int i = 0; i < count; i++) {
			struct source *source = batch[i].data.ptr;
			if (source->events) /* an earlier handler of this batch may have taken it out */
				source->ready(source, batch[i].events);
		}
		fire_timers();
		after_batch();
		bury();
	}
}
