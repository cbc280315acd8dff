// A baseline: preloaded into a program, logs when it enters and leaves a call that reads or polls a terminal.
// Appends "<CLOCK_MONOTONIC ns> 1" and "... -1" to $TTY_HOOK_LOG. Static and setuid programs never load it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static __thread int inside;

static void note(int step)
{
	static int log_fd = -2;
	char text[64];
	struct timespec now;
	if (log_fd == -2) {
		const char *path = getenv("TTY_HOOK_LOG");
		log_fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
	}
	if (log_fd < 0)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int length = snprintf(text, sizeof text, "%lld %d\n", now.tv_sec * 1000000000LL + now.tv_nsec, step);
	if (write(log_fd, text, (size_t)length) < 0)
		log_fd = -1;
}

static int enter(int on_terminal)
{
	if (!on_terminal || inside)
		return 0;
	inside = 1;
	note(1);
	return 1;
}

static void leave(int entered)
{
	if (!entered)
		return;
	note(-1);
	inside = 0;
}

static int polls_terminal(const struct pollfd *fds, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++)
		if (fds[i].fd >= 0 && fds[i].events & POLLIN && isatty(fds[i].fd))
			return 1;
	return 0;
}

static int selects_terminal(int count, const fd_set *set)
{
	for (int fd = 0; set && fd < count; fd++)
		if (FD_ISSET(fd, set) && isatty(fd))
			return 1;
	return 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRAP(type, name, terminal, parameters, arguments) \
	type name parameters                              \
	{                                                 \
		int entered = enter(terminal);            \
		type result = REAL(name) arguments;       \
		leave(entered);                           \
		return result;                            \
	}

WRAP(ssize_t, read, isatty(fd), (int fd, void *to, size_t size), (fd, to, size))
WRAP(int, poll, polls_terminal(fds, count), (struct pollfd *fds, nfds_t count, int timeout), (fds, count, timeout))
WRAP(int, ppoll, polls_terminal(fds, count),
     (struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
     (fds, count, timeout, mask))
WRAP(int, select, selects_terminal(count, in),
     (int count, fd_set *in, fd_set *out, fd_set *bad, struct timeval *timeout), (count, in, out, bad, timeout))
WRAP(int, pselect, selects_terminal(count, in),
     (int count, fd_set *in, fd_set *out, fd_set *bad, const struct timespec *timeout, const sigset_t *mask),
     (count, in, out, bad, timeout, mask))
/* The contents of an epoll cannot be read here: standard input is used instead, as in the original idea. */
WRAP(int, epoll_wait, isatty(0), (int fd, struct epoll_event *events, int count, int timeout),
     (fd, events, count, timeout))
WRAP(int, epoll_pwait, isatty(0),
     (int fd, struct epoll_event *events, int count, int timeout, const sigset_t *mask),
     (fd, events, count, timeout, mask))
WRAP(char *, fgets, isatty(fileno(from)), (char *to, int size, FILE *from), (to, size, from))
WRAP(int, fgetc, isatty(fileno(from)), (FILE *from), (from))
WRAP(int, getc, isatty(fileno(from)), (FILE *from), (from))
WRAP(int, getchar, isatty(0), (void), ())
WRAP(ssize_t, getline, isatty(fileno(from)), (char **line, size_t *size, FILE *from), (line, size, from))
WRAP(ssize_t, getdelim, isatty(fileno(from)), (char **line, size_t *size, int end, FILE *from), (line, size, end, from))
WRAP(size_t, fread, isatty(fileno(from)), (void *to, size_t size, size_t count, FILE *from), (to, size, count, from))

int scanf(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int entered = enter(isatty(0));
	int result = vscanf(format, arguments);
	leave(entered);
	va_end(arguments);
	return result;
}
