#include "tty_wait.h"

#include "uring.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { POLL_MAX = 256, EPOLL_DEPTH_MAX = 3, EXAMINED_MAX = 4096, COUNT_MAX = 255, SIGNAL_FDS_MAX = 16 };

/* A blocked call: its number and its six arguments. */
struct call {
	pid_t process;
	dev_t device;
	bool own; /* the terminal is the one that /dev/tty means to this process */
	long number;
	unsigned long long arguments[6];
	unsigned long long stack, instruction; /* pointers */
};

/* Mixes a number into a call site; it stays below 2^53, the range of the owner's numbers. */
static void mix(uint64_t *call_site, uint64_t number)
{
	uint64_t mixed = (*call_site ^ number) * 0x9e3779b97f4a7c15u;
	*call_site = (mixed ^ mixed >> 29) & ((UINT64_C(1) << 53) - 1);
}

enum target { TARGET_TERMINAL, TARGET_SOCKET, TARGET_MASTER, TARGET_EPOLL, TARGET_URING, TARGET_TIMER, TARGET_OTHER };

static enum target target_of(const struct call *call, int fd)
{
	char path[64], link[32] = "";
	struct stat stat_buffer;
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)call->process, fd);
	if (stat(path, &stat_buffer) < 0)
		return TARGET_OTHER;
	if (S_ISSOCK(stat_buffer.st_mode))
		return TARGET_SOCKET;
	if (S_ISCHR(stat_buffer.st_mode)) {
		if (stat_buffer.st_rdev == call->device || (call->own && stat_buffer.st_rdev == makedev(5, 0)))
			return TARGET_TERMINAL;
		return stat_buffer.st_rdev == makedev(5, 2) ? TARGET_MASTER : TARGET_OTHER;
	}
	if (readlink(path, link, sizeof link - 1) <= 0)
		return TARGET_OTHER;
	return strstr(link, "[eventpoll]") ? TARGET_EPOLL
	       : strstr(link, "[io_uring]") ? TARGET_URING
	       : strstr(link, "[timerfd]")  ? TARGET_TIMER
	                                    : TARGET_OTHER;
}

bool tty_signals(pid_t process, dev_t device, bool own)
{
	const struct call call = {.process = process, .device = device, .own = own};
	bool signals = false;
	for (int fd = 0; !signals && fd < SIGNAL_FDS_MAX; fd++) {
		char path[64], line[128];
		unsigned flags;
		if (target_of(&call, fd) != TARGET_TERMINAL)
			continue;
		snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)process, fd);
		FILE *info = fopen(path, "re");
		while (info && fgets(line, sizeof line, info))
			signals |= sscanf(line, "flags: %o", &flags) == 1 && flags & O_ASYNC;
		if (info)
			fclose(info);
	}
	return signals;
}

static bool read_memory(const struct call *call, unsigned long long address, void *to, size_t length)
{
	struct iovec local = {.iov_base = to, .iov_len = length};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = length};
	return process_vm_readv(call->process, &local, 1, &remote, 1, 0) == (ssize_t)length;
}

static int32_t clamp_ms(long long ms)
{
	return ms < 0 ? WAIT_FOREVER : ms > INT32_MAX ? INT32_MAX : (int32_t)ms;
}

/* Reads a timespec, or a timeval for select, at an address in the program. No address means no time-out. */
static int32_t timeout_at(const struct call *call, unsigned long long address, long fractions_per_ms)
{
	struct timespec time;
	if (!address)
		return WAIT_FOREVER;
	if (!read_memory(call, address, &time, sizeof time))
		return 0;
	/* Programs often write an infinite wait as the largest number. */
	if (time.tv_sec < 0 || time.tv_sec > INT32_MAX / 1000)
		return time.tv_sec < 0 ? WAIT_FOREVER : INT32_MAX;
	return clamp_ms((long long)time.tv_sec * 1000 + time.tv_nsec / fractions_per_ms);
}

static void count_up(uint8_t *counter)
{
	if (*counter < COUNT_MAX)
		++*counter;
}

/* A read of a descriptor opened as /dev/tty raises no event on the terminal's own file, so it counts as another descriptor. */
static void note_terminal(const struct call *call, int fd, struct tty_wait *wait)
{
	char path[64];
	struct stat stat_buffer;
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)call->process, fd);
	wait->own_descriptor = fd != 0 || stat(path, &stat_buffer) < 0 || stat_buffer.st_rdev != call->device;
}

static bool epoll_waits(const struct call *call, int epoll_fd, struct tty_wait *wait, int depth);

/* A timer among the descriptors counts as a time-out. Its fdinfo has a line "it_value: (SECONDS, NANOSECONDS)", with zeros
 * if it is not armed. */
static void note_timer(const struct call *call, int fd, struct tty_wait *wait)
{
	char path[64], line[128];
	long long seconds, nanoseconds;
	snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)call->process, fd);
	FILE *info = fopen(path, "re");
	while (info && fgets(line, sizeof line, info))
		if (sscanf(line, "it_value: (%lld, %lld)", &seconds, &nanoseconds) == 2 && (seconds || nanoseconds)) {
			int32_t ms = seconds > INT32_MAX / 1000 - 1 ? INT32_MAX : (int32_t)(seconds * 1000 + nanoseconds / 1000000 + 1);
			wait->timer_ms = wait->timer_ms < 0 || ms < wait->timer_ms ? ms : wait->timer_ms;
		}
	if (info)
		fclose(info);
}

/* A poll may wait on an epoll, and an epoll on another. */
static void count_fd(const struct call *call, int fd, bool *terminal, struct tty_wait *wait, int depth)
{
	/* A few hundred nested epolls have millions of descriptors; they must not delay the samples of other sessions. */
	if (wait->examined++ >= EXAMINED_MAX)
		return;
	mix(&wait->call_site, (uint64_t)fd);
	enum target target = target_of(call, fd);
	if (target == TARGET_TERMINAL) {
		*terminal = true;
		note_terminal(call, fd, wait);
		return;
	}
	if ((target == TARGET_EPOLL && epoll_waits(call, fd, wait, depth + 1)) ||
	    (target == TARGET_URING && target_of(call, 0) == TARGET_TERMINAL && uring_reads(call->process, fd))) {
		*terminal = true;
		return;
	}
	count_up(&wait->other_fds);
	if (target == TARGET_SOCKET)
		count_up(&wait->sockets);
	if (target == TARGET_MASTER)
		count_up(&wait->masters);
	if (target == TARGET_TIMER)
		note_timer(call, fd, wait);
}

static bool poll_waits(const struct call *call, struct tty_wait *wait)
{
	struct pollfd fds[POLL_MAX];
	size_t count = call->arguments[1] < POLL_MAX ? (size_t)call->arguments[1] : POLL_MAX;
	bool terminal = false;
	wait->kind = WAIT_POLL;
	if (count == 0 || !read_memory(call, call->arguments[0], fds, count * sizeof *fds))
		return false;
	for (size_t i = 0; i < count; i++)
		if (fds[i].fd >= 0 && fds[i].events & (POLLIN | POLLRDNORM))
			count_fd(call, fds[i].fd, &terminal, wait, 0);
	return terminal;
}

static bool select_waits(const struct call *call, struct tty_wait *wait)
{
	unsigned char bits[FD_SETSIZE / 8] = {0};
	size_t count = call->arguments[0] < FD_SETSIZE ? (size_t)call->arguments[0] : FD_SETSIZE;
	bool terminal = false;
	wait->kind = WAIT_SELECT;
	if (count == 0 || !call->arguments[1] || !read_memory(call, call->arguments[1], bits, (count + 7) / 8))
		return false;
	for (size_t fd = 0; fd < count; fd++)
		if (bits[fd / 8] & 1u << fd % 8)
			count_fd(call, (int)fd, &terminal, wait, 0);
	return terminal;
}

/* fdinfo of an epoll lists a line "tfd: FD events: HEX ..." for each descriptor; one of them may be an epoll itself. */
static bool epoll_waits(const struct call *call, int epoll_fd, struct tty_wait *wait, int depth)
{
	char path[64], line[256];
	bool terminal = false;
	snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)call->process, epoll_fd);
	FILE *info = depth < EPOLL_DEPTH_MAX ? fopen(path, "re") : NULL;
	if (!info)
		return false;
	while (wait->examined < EXAMINED_MAX && fgets(line, sizeof line, info)) {
		int fd;
		unsigned events;
		if (sscanf(line, "tfd: %d events: %x", &fd, &events) != 2)
			continue;
		if (events & POLLIN)
			count_fd(call, fd, &terminal, wait, depth);
	}
	fclose(info);
	return terminal;
}

/* The call's own time-out is behind a pointer to a structure: a signal mask, its size, and the address of the time. */
static int32_t uring_timeout(const struct call *call)
{
	uint64_t argument[3];
	if (!(call->arguments[3] & IORING_ENTER_EXT_ARG) ||
	    !read_memory(call, call->arguments[4], argument, sizeof argument))
		return WAIT_FOREVER;
	return timeout_at(call, argument[2], 1000000);
}

static bool uring_enter_waits(const struct call *call, struct tty_wait *wait)
{
	wait->kind = WAIT_IO_URING;
	wait->timeout_ms = uring_timeout(call);
	return call->arguments[2] > 0 && target_of(call, 0) == TARGET_TERMINAL &&
	       uring_reads(call->process, (int)call->arguments[0]);
}

static bool call_waits(const struct call *call, struct tty_wait *wait)
{
	const unsigned long long *arguments = call->arguments;
	mix(&wait->call_site, (uint64_t)call->number);
	mix(&wait->call_site, call->stack);
	mix(&wait->call_site, call->instruction);
	switch (call->number) {
	case SYS_read:
	case SYS_readv:
		wait->kind = WAIT_READ;
		if (call->number == SYS_read)
			wait->read_bytes = arguments[2] > UINT32_MAX ? UINT32_MAX : (uint32_t)arguments[2];
		note_terminal(call, (int)arguments[0], wait);
		return target_of(call, (int)arguments[0]) == TARGET_TERMINAL;
#ifdef SYS_poll
	case SYS_poll:
		wait->timeout_ms = clamp_ms((int)arguments[2]);
		return poll_waits(call, wait);
#endif
	case SYS_ppoll:
		wait->timeout_ms = timeout_at(call, arguments[2], 1000000);
		return poll_waits(call, wait);
#ifdef SYS_select
	case SYS_select:
		wait->timeout_ms = timeout_at(call, arguments[4], 1000);
		return select_waits(call, wait);
#endif
	case SYS_pselect6:
		wait->timeout_ms = timeout_at(call, arguments[4], 1000000);
		return select_waits(call, wait);
#ifdef SYS_epoll_wait
	case SYS_epoll_wait:
#endif
	case SYS_epoll_pwait:
		wait->timeout_ms = clamp_ms((int)arguments[3]);
		wait->kind = WAIT_EPOLL;
		return epoll_waits(call, (int)arguments[0], wait, 0);
	case SYS_epoll_pwait2:
		wait->timeout_ms = timeout_at(call, arguments[3], 1000000);
		wait->kind = WAIT_EPOLL;
		return epoll_waits(call, (int)arguments[0], wait, 0);
	case SYS_io_uring_enter:
		return uring_enter_waits(call, wait);
	default:
		return false;
	}
}

static enum activity activity_in(const struct call *call, const struct tty_wait *wait)
{
	switch (call->number) {
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
		return ACTIVITY_SLEEPS;
	case SYS_wait4:
	case SYS_waitid:
		return ACTIVITY_CHILD;
	case SYS_futex:
		return ACTIVITY_THREAD;
	case SYS_connect:
	case SYS_accept:
	case SYS_accept4:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_sendto:
	case SYS_sendmsg:
		return ACTIVITY_NETWORK;
	case SYS_read:
	case SYS_readv:
	case SYS_write:
		return target_of(call, (int)call->arguments[0]) == TARGET_SOCKET ? ACTIVITY_NETWORK : ACTIVITY_PIPE;
	default:
		break;
	}
	if (wait->kind == WAIT_NONE)
		return ACTIVITY_OTHER;
	if (wait->sockets > 0)
		return ACTIVITY_NETWORK;
	return wait->other_fds > 0 ? ACTIVITY_PIPE : ACTIVITY_SLEEPS;
}

static const struct tty_wait no_wait = {.kind = WAIT_NONE, .timeout_ms = WAIT_FOREVER, .timer_ms = WAIT_FOREVER};

int tty_wait_read(int syscall_fd, pid_t process, dev_t device, bool own, struct tty_wait *wait)
{
	char text[256];
	ssize_t length = pread(syscall_fd, text, sizeof text - 1, 0);
	*wait = no_wait;
	if (length < 0)
		return -1;
	text[length] = 0;
	struct call call = {.process = process, .device = device, .own = own};
	unsigned long long *a = call.arguments;
	/* A running thread shows the word "running", one outside any call shows -1: neither waits. */
	if (sscanf(text, "%ld %llx %llx %llx %llx %llx %llx %llx %llx", &call.number, a, a + 1, a + 2, a + 3, a + 4, a + 5,
	           &call.stack, &call.instruction) != 9 || call.number < 0) {
		wait->activity = text[0] == 'r' ? ACTIVITY_RUNS : ACTIVITY_OTHER;
		return 0;
	}
	bool waits = call_waits(&call, wait);
	if (wait->timer_ms >= 0 && (wait->timeout_ms < 0 || wait->timer_ms < wait->timeout_ms))
		wait->timeout_ms = wait->timer_ms;
	if (waits)
		return 0;
	*wait = (struct tty_wait){.kind = WAIT_NONE, .activity = activity_in(&call, wait), .timeout_ms = wait->timeout_ms};
	return 0;
}
