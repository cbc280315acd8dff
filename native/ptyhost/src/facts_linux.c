#include "facts.h"

#include "proctree.h"
#include "tty_wait.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { GROUP_MAX = 256, THREADS_MAX = 128 };

void facts_cache_init(struct facts_cache *cache)
{
	*cache = (struct facts_cache){.syscall_fd = -1, .schedstat_fd = -1};
}

void facts_cache_clear(struct facts_cache *cache)
{
	if (cache->syscall_fd >= 0)
		close(cache->syscall_fd);
	if (cache->schedstat_fd >= 0)
		close(cache->schedstat_fd);
	facts_cache_init(cache);
}

static int open_thread_file(pid_t process, pid_t thread, const char *name)
{
	char path[96];
	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)process, (int)thread, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* schedstat: nanoseconds on the processor, nanoseconds waiting for it, number of time slices. */
static uint64_t time_slices(int fd)
{
	char text[128];
	ssize_t length = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);
	if (length <= 0)
		return 0;
	text[length] = 0;
	unsigned long long running, waiting, slices;
	return sscanf(text, "%llu %llu %llu", &running, &waiting, &slices) == 3 ? slices : 0;
}

static void note_wait(struct facts *facts, const struct tty_wait *wait, pid_t process, pid_t thread, uint64_t slices)
{
	facts->wait = wait->kind;
	facts->timeout_ms = wait->timeout_ms;
	facts->read_bytes = wait->read_bytes;
	facts->other_fds = wait->other_fds;
	facts->waiter = process;
	facts->waiter_thread = thread;
	facts->slices = slices;
	facts->state = 'S';
}

/* Does the thread rest in a call on the terminal? One that ran while we looked has not rested: what was read of it may
 * be from before it was woken. */
static int rests_on_terminal(int syscall_fd, int schedstat_fd, pid_t process, dev_t device, struct tty_wait *wait,
                             uint64_t *slices)
{
	*slices = time_slices(schedstat_fd);
	if (tty_wait_read(syscall_fd, process, device, wait) < 0)
		return -1;
	if (wait->kind != WAIT_NONE && time_slices(schedstat_fd) != *slices)
		wait->kind = WAIT_NONE;
	return 0;
}

/* Keeps the thread's files open when it waits. EACCES means that we may not know. */
static bool thread_waits(const struct facts_terminal *t, struct facts_cache *cache, pid_t process, pid_t thread,
                         struct facts *facts, int *error)
{
	struct facts_cache found = {.process = process, .thread = thread};
	struct tty_wait wait = {.kind = WAIT_NONE};
	uint64_t slices = 0;
	found.syscall_fd = open_thread_file(process, thread, "syscall");
	*error = errno;
	found.schedstat_fd = found.syscall_fd < 0 ? -1 : open_thread_file(process, thread, "schedstat");
	if (found.syscall_fd >= 0) {
		int failed = rests_on_terminal(found.syscall_fd, found.schedstat_fd, process, t->device, &wait, &slices);
		*error = failed ? errno : 0;
	}
	if (wait.kind == WAIT_NONE) {
		facts_cache_clear(&found);
		return false;
	}
	facts_cache_clear(cache);
	*cache = found;
	note_wait(facts, &wait, process, thread, slices);
	return true;
}

static bool process_waits(const struct facts_terminal *t, struct facts_cache *cache, pid_t process, struct facts *facts)
{
	int error;
	if (thread_waits(t, cache, process, process, facts, &error))
		return true;
	if (error == EACCES || error == EPERM) {
		facts->readable = false;
		return false;
	}
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", (int)process);
	DIR *threads = opendir(path);
	if (!threads)
		return false;
	bool found = false;
	int seen = 0;
	for (struct dirent *entry; !found && seen < THREADS_MAX && (entry = readdir(threads)); seen++) {
		pid_t thread = (pid_t)atoi(entry->d_name);
		if (thread > 0 && thread != process)
			found = thread_waits(t, cache, process, thread, facts, &error);
	}
	closedir(threads);
	return found;
}

/* The kept thread still waits: no search needed. It must still belong to the foreground group, or it reads nothing. */
static bool cached_thread_waits(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	if (cache->syscall_fd < 0)
		return false;
	struct tty_wait wait;
	struct process_stat stat;
	uint64_t slices;
	if (rests_on_terminal(cache->syscall_fd, cache->schedstat_fd, cache->process, t->device, &wait, &slices) < 0 ||
	    wait.kind == WAIT_NONE)
		return false;
	if (cache->process != facts->foreground &&
	    (process_stat(cache->process, &stat) < 0 || stat.group != facts->foreground))
		return false;
	note_wait(facts, &wait, cache->process, cache->thread, slices);
	return true;
}

static void search_group(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	if (process_waits(t, cache, facts->foreground, facts))
		return;
	pid_t found[GROUP_MAX];
	size_t count = process_descendants(t->leader, found, GROUP_MAX);
	for (size_t i = 0; i < count; i++) {
		struct process_stat stat;
		if (found[i] == facts->foreground || process_stat(found[i], &stat) < 0 || stat.group != facts->foreground)
			continue;
		if (process_waits(t, cache, found[i], facts))
			return;
	}
}

static void forget_wait(struct facts *facts)
{
	facts->wait = WAIT_NONE;
	facts->waiter = facts->waiter_thread = 0;
}

void facts_sample(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	*facts = (struct facts){.readable = true, .timeout_ms = WAIT_FOREVER, .state = '?'};
	struct termios termios;
	if (t->master >= 0 && tcgetattr(t->master, &termios) == 0) {
		facts->canonical = termios.c_lflag & ICANON;
		facts->echo = termios.c_lflag & ECHO;
		facts->signals = termios.c_lflag & ISIG;
	}
	int unread = 0;
	if (t->slave >= 0 && ioctl(t->slave, FIONREAD, &unread) == 0)
		facts->unread = (uint32_t)unread;
	pid_t foreground = 0;
	if (t->master >= 0 && ioctl(t->master, TIOCGPGRP, &foreground) == 0)
		facts->foreground = foreground;
	if (facts->foreground <= 0)
		return;
	if (!cached_thread_waits(t, cache, facts)) {
		facts_cache_clear(cache);
		search_group(t, cache, facts);
	}
	struct process_stat stat;
	if (process_stat(facts->waiter ? facts->waiter : facts->foreground, &stat) < 0)
		return;
	memcpy(facts->name, stat.name, sizeof facts->name);
	/* A program that a signal has just ended still shows the call it was taken out of. */
	if (stat.exiting || (facts->waiter == facts->waiter_thread && stat.state != 'S'))
		forget_wait(facts);
	if (!facts->waiter)
		facts->state = stat.state;
}
