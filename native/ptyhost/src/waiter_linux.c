#include "waiter.h"

#include "system.h"
#include "tty_wait.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { THREADS_MAX = 128, FDS_MAX = 128, TRUSTED_MAX = 10, WAKES_MAX = 2 };

/* Forgets the waiting thread, and nothing else. */
void waiter_forget(struct facts_cache *cache)
{
	fd_close(&cache->syscall_fd);
	fd_close(&cache->schedstat_fd);
	fd_close(&cache->stat_fd);
	cache->process = cache->thread = 0;
	cache->wait.kind = WAIT_NONE;
	cache->relay = false;
}

void waiter_note(struct facts *facts, struct facts_cache *found)
{
	const struct tty_wait *wait = &found->wait;
	facts->wait = wait->kind;
	facts->timeout_ms = wait->kind == WAIT_READ ? facts->read_timeout_ms : wait->timeout_ms;
	facts->read_bytes = wait->read_bytes;
	facts->other_fds = wait->other_fds;
	facts->sockets = wait->sockets;
	facts->own_descriptor = wait->own_descriptor;
	facts->pipes_on = found->pipes_on;
	facts->children = (uint8_t)(found->children < 255 ? found->children : 255);
	facts->waiter = found->process;
	facts->waiter_thread = found->thread;
	facts->slices = found->slices;
	facts->call_site = wait->call_site;
	facts->thread_cpu_ns = found->cpu_ns;
	facts->state = 'S';
	found->trusted = 0;
}

void waiter_clear(struct facts *facts)
{
	facts->wait = WAIT_NONE;
	facts->waiter = facts->waiter_thread = 0;
	facts->other_fds = facts->sockets = facts->children = 0;
	facts->timeout_ms = WAIT_FOREVER;
	facts->read_bytes = 0;
	facts->own_descriptor = facts->pipes_on = facts->pipe_rests = false;
	facts->slices = facts->call_site = 0;
	facts->state = '?';
}

/* True for a call without a descriptor: a lock, a pause, a wait for signals. */
static bool sleeps_elsewhere(const struct tty_wait *wait)
{
	return wait->kind == WAIT_NONE && (wait->activity == ACTIVITY_THREAD || wait->activity == ACTIVITY_OTHER);
}

/* Reads the blocking call. A program that receives a signal for input waits in any call in which it sleeps. */
static int read_wait(struct facts_cache *thread)
{
	if (tty_wait_read(thread->syscall_fd, thread->process, thread->terminal, thread->own, &thread->wait) < 0)
		return -1;
	if (thread->signalled && sleeps_elsewhere(&thread->wait))
		thread->wait = (struct tty_wait){.kind = WAIT_POLL, .timeout_ms = WAIT_FOREVER, .other_fds = 1};
	return 0;
}

/* Returns whether the thread rests in a call on the terminal. If it ran during the examination, it was not at rest, and the
 * data may be from before it was woken. */
static int examine_thread(struct facts_cache *thread)
{
	uint64_t slices = thread_slices(thread->schedstat_fd, &thread->cpu_ns);
	if (read_wait(thread) < 0)
		return -1;
	if (thread->wait.kind != WAIT_NONE && thread_slices(thread->schedstat_fd, NULL) != slices)
		thread->wait = (struct tty_wait){.kind = WAIT_NONE, .timeout_ms = WAIT_FOREVER, .activity = ACTIVITY_RUNS};
	/* Its work may be done by a child; for event loops alone this is the only sign. */
	if (thread->wait.kind > WAIT_READ && thread->wait.other_fds > 0)
		thread->children = children_count(thread->process, thread->thread);
	thread->slices = slices;
	return 0;
}

static bool writes_to_pipe(pid_t process)
{
	char path[64];
	struct stat stat_buffer;
	snprintf(path, sizeof path, "/proc/%d/fd/1", (int)process);
	return stat(path, &stat_buffer) == 0 && S_ISFIFO(stat_buffer.st_mode);
}

/* Keeps the thread's files open if it waits. EACCES means that they may not be read. */
static bool thread_waits(struct search *search, pid_t process, pid_t thread, bool own, enum activity *activity,
                         int *error)
{
	struct facts_cache found = *search->cache;
	found.process = process;
	found.thread = thread;
	found.terminal = search->device;
	found.own = own;
	found.signalled = false;
	found.relay = false;
	found.wakes = found.children = 0;
	found.wait = (struct tty_wait){.kind = WAIT_NONE, .timeout_ms = WAIT_FOREVER};
	found.stat_fd = found.schedstat_fd = -1;
	found.syscall_fd = thread_file(process, thread, "syscall");
	*error = errno;
	if (found.syscall_fd >= 0)
		*error = read_wait(&found) < 0 ? errno : 0;
	if (*error == 0 && search->signals && thread == process && sleeps_elsewhere(&found.wait)) {
		found.signalled = tty_signals(process, found.terminal, own);
		*error = found.signalled && read_wait(&found) < 0 ? errno : 0;
	}
	/* Further checks are needed only for a thread that seems to wait. */
	if (*error == 0 && found.wait.kind != WAIT_NONE) {
		found.schedstat_fd = thread_file(process, thread, "schedstat");
		*error = examine_thread(&found) < 0 ? errno : 0;
	}
	*activity = found.wait.activity;
	if (*error != 0 || found.wait.kind == WAIT_NONE) {
		waiter_forget(&found);
		return false;
	}
	found.stat_fd = thread_file(process, process, "stat");
	found.pipes_on = writes_to_pipe(process);
	waiter_forget(search->cache);
	*search->cache = found;
	waiter_note(search->facts, search->cache);
	return true;
}

static bool other_thread_waits(struct search *search, pid_t process, bool own)
{
	pid_t threads[THREADS_MAX];
	size_t count = process_threads(process, threads, THREADS_MAX);
	enum activity activity;
	int error;
	for (size_t i = 0; i < count; i++)
		if (threads[i] != process && thread_waits(search, process, threads[i], own, &activity, &error))
			return true;
	return false;
}

static bool process_waits(struct search *search, const struct process_stat *process, bool own)
{
	int error;
	enum activity activity;
	if (thread_waits(search, process->pid, process->pid, own, &activity, &error))
		return true;
	if (error == EACCES || error == EPERM) {
		search->facts->readable = false;
		return false;
	}
	/* While the main thread works, it does not matter which other one listens. */
	return process->threads > 1 && activity != ACTIVITY_RUNS && other_thread_waits(search, process->pid, own);
}

bool waiter_is_relay(const struct facts_cache *cache) { return cache->relay || cache->wait.masters > 0; }

/* The process that has the other end of an inner terminal need not be in the waiting call: another thread, or another process
 * with the same descriptors, may serve it. */
static bool holds_master(pid_t process)
{
	char path[300];
	struct stat stat_buffer;
	snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
	DIR *fds = opendir(path);
	if (!fds)
		return false;
	bool found = false;
	int count = 0;
	for (struct dirent *entry; !found && count < FDS_MAX && (entry = readdir(fds)); count++) {
		snprintf(path, sizeof path, "/proc/%d/fd/%s", (int)process, entry->d_name);
		found = entry->d_name[0] != '.' && stat(path, &stat_buffer) == 0 && S_ISCHR(stat_buffer.st_mode) &&
		        stat_buffer.st_rdev == makedev(5, 2);
	}
	closedir(fds);
	return found;
}

/* The cached thread still waits: no search needed. It must still belong to the foreground group, or it reads nothing. */
bool waiter_kept_waits(struct search *search)
{
	struct facts_cache *cache = search->cache;
	if (cache->syscall_fd < 0 || cache->terminal != search->device)
		return false;
	/* A thread that waited and has not run still waits. One that ran may have started to wait without giving up the processor. */
	bool rests = cache->wait.kind != WAIT_NONE && thread_slices(cache->schedstat_fd, NULL) == cache->slices;
	if (!rests && examine_thread(cache) < 0) {
		waiter_forget(cache);
		return false;
	}
	/* It may have opened an inner terminal since it was found. */
	if (!rests && cache->wait.other_fds > 0 && !cache->relay && ++cache->wakes > WAKES_MAX) {
		cache->wakes = 0;
		cache->relay = holds_master(cache->process);
	}
	struct process_stat stat;
	if (cache->wait.kind == WAIT_NONE || process_stat_of(cache->stat_fd, cache->process, &stat) < 0)
		return false;
	if (stat.terminal == search->device && stat.group != search->foreground)
		return false;
	cache->woken = !rests;
	waiter_note(search->facts, cache);
	return true;
}

/* The cached thread runs: it took its input or was woken, and may wait again in a moment. */
bool waiter_kept_runs(struct search *search)
{
	struct facts_cache *cache = search->cache;
	struct facts *facts = search->facts;
	struct process_stat stat;
	if (cache->syscall_fd < 0 || cache->terminal != search->device || cache->wait.activity != ACTIVITY_RUNS ||
	    ++cache->trusted > TRUSTED_MAX || process_stat_of(cache->stat_fd, cache->process, &stat) < 0 ||
	    stat.exiting || stat.group != facts->foreground)
		return false;
	memcpy(facts->name, stat.name, sizeof facts->name);
	facts->state = 'R';
	facts->activity = ACTIVITY_RUNS;
	facts->cpu_ns = process_cpu_ns(cache->process);
	return true;
}

/* First the members of the foreground group. Then processes that hold the terminal open without having it as their own: the
 * servers of tmux and screen, which outlive the process that started them. */
static bool search_foreground(struct search *search, const struct process_stat *processes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (processes[i].terminal == search->device && processes[i].group == search->foreground &&
		    process_waits(search, &processes[i], true))
			return true;
	return false;
}

/* No thread waits in a call. */
static bool search_signalled(struct search *search, const struct process_stat *processes, size_t count)
{
	search->signals = true;
	bool found = search_foreground(search, processes, count);
	search->signals = false;
	return found;
}

static bool search_servers(struct search *search, const struct process_stat *processes, size_t count)
{
	bool readable = search->facts->readable, found = false;
	for (size_t i = 0; !found && i < count; i++)
		found = processes[i].terminal == 0 && process_waits(search, &processes[i], false);
	search->facts->readable = readable;
	return found;
}

bool waiter_search(struct search *search, const struct process_stat *processes, size_t count)
{
	bool found = waiter_kept_waits(search) || search_foreground(search, processes, count) ||
	             search_signalled(search, processes, count);
	/* A client of such a server may poll the terminal as well, but only to notice its end. */
	bool is_client = found && search->cache->wait.sockets > 0 && !waiter_is_relay(search->cache);
	if (!found || is_client)
		found |= search_servers(search, processes, count);
	if (found && !search->cache->relay)
		search->cache->relay = holds_master(search->cache->process);
	return found;
}
