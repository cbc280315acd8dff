#include "poller.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BATCH_MAX = 128 };

_Static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT && EPOLLERR == POLLERR && EPOLLHUP == POLLHUP,
               "the loop's events are those of poll");

static int epoll_fd = -1;

bool poller_open(void)
{
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	return epoll_fd >= 0;
}

bool poller_change(const struct source *source, uint32_t events)
{
	int operation = !events ? EPOLL_CTL_DEL : source->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
	struct epoll_event event = {.events = events, .data.ptr = (void *)(uintptr_t)source};
	return epoll_ctl(epoll_fd, operation, source->fd, &event) == 0;
}

/* epoll_pwait2 (Linux 5.11) is missing in kernels still in use and in some C libraries, hence the direct system call. Older
 * kernels wait by ppoll: equally precise, with one more call. */
static int wait_for_events(struct epoll_event *batch, int max, const struct timespec *timeout)
{
	static bool is_missing;
	if (!is_missing) {
		int count = (int)syscall(SYS_epoll_pwait2, epoll_fd, batch, max, timeout, NULL, 0);
		if (count >= 0 || errno != ENOSYS)
			return count;
		is_missing = true;
	}
	struct pollfd any = {.fd = epoll_fd, .events = POLLIN};
	if (ppoll(&any, 1, timeout, NULL) < 0)
		return -1;
	return epoll_wait(epoll_fd, batch, max, 0);
}

int poller_wait(struct happened *happened, int max, const struct timespec *timeout)
{
	struct epoll_event batch[BATCH_MAX];
	int count = wait_for_events(batch, max < BATCH_MAX ? max : BATCH_MAX, timeout);
	for (int i = 0; i < count; i++)
		happened[i] = (struct happened){.source = batch[i].data.ptr, .events = batch[i].events};
	return count;
}

static void (*signal_caught)(int);

static void signal_ready(struct source *source, uint32_t events)
{
	(void)events;
	struct signalfd_siginfo info;
	if (read(source->fd, &info, sizeof info) == (ssize_t)sizeof info)
		signal_caught((int)info.ssi_signo);
}

bool poller_catch_signals(const int *numbers, size_t count, void (*caught)(int))
{
	static struct source source = {.fd = -1, .ready = signal_ready};
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < count; i++)
		sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal_caught = caught;
	source.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (source.fd < 0 || !poller_change(&source, POLLIN))
		return false;
	source.events = POLLIN;
	return true;
}
