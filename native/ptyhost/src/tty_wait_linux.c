#include "tty_wait.h"

#include <errno.h>
#include <fcntl.h>
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

enum { POLL_MAX = 256, EPOLL_DEPTH_MAX = 3, OTHER_FDS_MAX = 255 };

/* A blocked call: its number and its six arguments. */
struct call {
	pid_t process;
	dev_t device;
	long number;
	unsigned long long arguments[6];
};

/* /dev/tty (5:0) stands for the terminal of the process that opened it, which in our group is this one. */
static bool is_terminal(const struct call *call, int fd)
{
	char path[64];
	struct stat stat_buffer;
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)call->process, fd);
	if (stat(path, &stat_buffer) < 0 || !S_ISCHR(stat_buffer.st_mode))
		return false;
	return stat_buffer.st_rdev == call->device || stat_buffer.st_rdev == makedev(5, 0);
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

/* A timespec, or for select a timeval, at an address in the program; no address means no time-out. */
static int32_t timeout_at(const struct call *call, unsigned long long address, long fractions_per_ms)
{
	struct timespec time;
	if (!address)
		return WAIT_FOREVER;
	if (!read_memory(call, address, &time, sizeof time))
		return 0;
	return clamp_ms((long long)time.tv_sec * 1000 + time.tv_nsec / fractions_per_ms);
}

static void count_fd(const struct call *call, int fd, bool *terminal, struct tty_wait *wait)
{
	if (is_terminal(call, fd))
		*terminal = true;
	else if (wait->other_fds < OTHER_FDS_MAX)
		wait->other_fds++;
}

static bool poll_waits(const struct call *call, struct tty_wait *wait)
{
	struct pollfd fds[POLL_MAX];
	size_t count = call->arguments[1] < POLL_MAX ? (size_t)call->arguments[1] : POLL_MAX;
	bool terminal = false;
	if (count == 0 || !read_memory(call, call->arguments[0], fds, count * sizeof *fds))
		return false;
	for (size_t i = 0; i < count; i++)
		if (fds[i].fd >= 0 && fds[i].events & (POLLIN | POLLRDNORM))
			count_fd(call, fds[i].fd, &terminal, wait);
	wait->kind = WAIT_POLL;
	return terminal;
}

static bool select_waits(const struct call *call, struct tty_wait *wait)
{
	unsigned char bits[FD_SETSIZE / 8] = {0};
	size_t count = call->arguments[0] < FD_SETSIZE ? (size_t)call->arguments[0] : FD_SETSIZE;
	bool terminal = false;
	if (count == 0 || !call->arguments[1] || !read_memory(call, call->arguments[1], bits, (count + 7) / 8))
		return false;
	for (size_t fd = 0; fd < count; fd++)
		if (bits[fd / 8] & 1u << fd % 8)
			count_fd(call, (int)fd, &terminal, wait);
	wait->kind = WAIT_SELECT;
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
	while (fgets(line, sizeof line, info)) {
		int fd;
		unsigned events;
		char target[64] = "";
		if (sscanf(line, "tfd: %d events: %x", &fd, &events) != 2)
			continue;
		snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)call->process, fd);
		ssize_t length = readlink(path, target, sizeof target - 1);
		if (length > 0 && strstr(target, "[eventpoll]"))
			terminal |= epoll_waits(call, fd, wait, depth + 1);
		else if (events & POLLIN)
			count_fd(call, fd, &terminal, wait);
	}
	fclose(info);
	wait->kind = WAIT_EPOLL;
	return terminal;
}

static bool call_waits(const struct call *call, struct tty_wait *wait)
{
	const unsigned long long *arguments = call->arguments;
	wait->timeout_ms = WAIT_FOREVER;
	switch (call->number) {
	case SYS_read:
	case SYS_readv:
		wait->kind = WAIT_READ;
		if (call->number == SYS_read)
			wait->read_bytes = arguments[2] > UINT32_MAX ? UINT32_MAX : (uint32_t)arguments[2];
		return is_terminal(call, (int)arguments[0]);
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
		return epoll_waits(call, (int)arguments[0], wait, 0);
	case SYS_epoll_pwait2:
		wait->timeout_ms = timeout_at(call, arguments[3], 1000000);
		return epoll_waits(call, (int)arguments[0], wait, 0);
	default:
		return false;
	}
}

int tty_wait_read(int syscall_fd, pid_t process, dev_t device, struct tty_wait *wait)
{
	char text[256];
	ssize_t length = pread(syscall_fd, text, sizeof text - 1, 0);
	*wait = (struct tty_wait){.kind = WAIT_NONE, .timeout_ms = WAIT_FOREVER};
	if (length < 0)
		return -1;
	text[length] = 0;
	struct call call = {.process = process, .device = device};
	unsigned long long *a = call.arguments;
	/* A running thread shows the word "running", one outside any call shows -1: neither waits. */
	if (sscanf(text, "%ld %llx %llx %llx %llx %llx %llx", &call.number, a, a + 1, a + 2, a + 3, a + 4, a + 5) != 7 ||
	    call.number < 0 || !call_waits(&call, wait))
		*wait = (struct tty_wait){.kind = WAIT_NONE, .timeout_ms = WAIT_FOREVER};
	return 0;
}
