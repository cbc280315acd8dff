/* Compiled for macOS and not yet run there. */
#include "poller.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/event.h>
#include <unistd.h>

enum { BATCH_MAX = 128 };

static int queue = -1;
static void (*signal_caught)(int);

bool poller_open(void)
{
	queue = kqueue();
	return queue >= 0;
}

static bool set_filter(const struct source *source, int16_t filter, bool was, bool is)
{
	if (was == is)
		return true;
	struct kevent change;
	EV_SET(&change, (uintptr_t)source->fd, filter, is ? EV_ADD : EV_DELETE, 0, 0, (void *)(uintptr_t)source);
	/* A closed terminal removes its filters. */
	return kevent(queue, &change, 1, NULL, 0, NULL) == 0 || (!is && errno == ENOENT);
}

bool poller_change(const struct source *source, uint32_t events)
{
	return set_filter(source, EVFILT_READ, source->events & POLLIN, events & POLLIN) &&
	       set_filter(source, EVFILT_WRITE, source->events & POLLOUT, events & POLLOUT);
}

/* kqueue reports reading and writing as two events where epoll reports one. */
int poller_wait(struct happened *happened, int max, const struct timespec *timeout)
{
	struct kevent batch[BATCH_MAX];
	int reported = kevent(queue, NULL, 0, batch, max < BATCH_MAX ? max : BATCH_MAX, timeout), count = 0;
	for (int i = 0; i < reported; i++) {
		if (batch[i].filter == EVFILT_SIGNAL) {
			signal_caught((int)batch[i].ident);
			continue;
		}
		uint32_t events = batch[i].filter == EVFILT_READ ? POLLIN : POLLOUT;
		if (batch[i].flags & EV_EOF)
			events |= POLLHUP;
		happened[count++] = (struct happened){.source = batch[i].udata, .events = events};
	}
	return reported < 0 ? reported : count;
}

/* kqueue reports ignored signals as well. SIGCHLD is not ignored, because then a child would leave no status. */
bool poller_catch_signals(const int *numbers, size_t count, void (*caught)(int))
{
	signal_caught = caught;
	for (size_t i = 0; i < count; i++) {
		struct kevent change;
		if (numbers[i] != SIGCHLD)
			signal(numbers[i], SIG_IGN);
		EV_SET(&change, (uintptr_t)numbers[i], EVFILT_SIGNAL, EV_ADD, 0, 0, NULL);
		if (kevent(queue, &change, 1, NULL, 0, NULL) < 0)
			return false;
	}
	return true;
}
