#include "facts.h"

#include "panes.h"
#include "pipe_rest.h"
#include "system.h"
#include "tty_wait.h"
#include "waiter.h"
#include "worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES_MAX = 256, SEARCH_SPACING = 4 };

static uint64_t clock_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void facts_cache_init(struct facts_cache *cache)
{
	*cache = (struct facts_cache){.syscall_fd = -1, .schedstat_fd = -1, .stat_fd = -1,
	                              .worker = {.schedstat_fd = -1, .stat_fd = -1}};
}

void facts_cache_clear(struct facts_cache *cache)
{
	waiter_forget(cache);
	worker_forget(&cache->worker);
}

void facts_cache_doubt(struct facts_cache *cache) { cache->worker.doubted = true; }

static size_t read_processes(const struct facts_terminal *t, struct process_stat *processes)
{
	if (t->root != t->leader)
		return process_tree(t->root, processes, PROCESSES_MAX);
	/* Without a keeper the leader itself is the root. */
	size_t own = process_stat(t->leader, processes) == 0 && !processes->exiting;
	return own + process_tree(t->leader, processes + own, PROCESSES_MAX - own);
}

/* ---- terminals inside this one ---- */

/* In raw mode, a terminal may end each read after its own time-out. */
static void read_modes(int fd, struct facts *facts)
{
	struct termios termios;
	if (fd < 0 || tcgetattr(fd, &termios) < 0)
		return;
	facts->canonical = termios.c_lflag & ICANON;
	facts->echo = termios.c_lflag & ECHO;
	facts->signals = termios.c_lflag & ISIG;
	facts->read_timeout_ms = !facts->canonical && termios.c_cc[VMIN] == 0 ? 100 * termios.c_cc[VTIME] : WAIT_FOREVER;
}

/* Reads the modes and the unread input of an inner terminal. Opening and closing it disturbs no program, because its programs
 * keep it open. */
static void read_inner(dev_t device, struct facts *facts)
{
	char path[32];
	struct stat stat_buffer;
	snprintf(path, sizeof path, "/dev/pts/%u", minor(device) | (unsigned)(major(device) - 136) << 8);
	int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &stat_buffer) == 0 && stat_buffer.st_rdev == device) {
		read_modes(fd, facts);
		facts->unread += system_unread(fd);
	}
	if (fd >= 0)
		close(fd);
}

/* True if no thread of the relay waits on our terminal, or another thread than the main one does; then it is working. */
static bool relay_works(const struct facts *relay, const struct process_stat *processes, size_t count)
{
	if (relay->wait == WAIT_NONE)
		return relay->readable;
	for (size_t i = 0; i < count && relay->waiter != relay->waiter_thread; i++) {
		int32_t timeout_ms;
		if (processes[i].pid != relay->waiter)
			continue;
		enum activity activity = worker_activity(&processes[i], &timeout_ms);
		return activity == ACTIVITY_RUNS || activity == ACTIVITY_SLEEPS;
	}
	return false;
}

/* The relay always waits on our terminal; what counts is the waiter on the inner one. False when there is none. */
static bool search_inner(const struct facts_terminal *t, struct facts_cache *cache, const struct process_stat *processes,
                         size_t count, struct facts *facts)
{
	struct inner inner[PANES_MAX];
	size_t found = inner_terminals(t, processes, count, inner);
	if (found == 0) {
		cache->panes.several = false;
		return false;
	}
	struct facts outside = *facts;
	waiter_clear(facts);
	facts->inner = true;
	facts->relay = false;
	facts->relay_here = cache->relay_here = outside.wait != WAIT_NONE && cache->own;
	cache->panes.several = found > 1 || !cache->relay_here;
	facts->passing = relay_works(&outside, processes, count) ||
	                 panes_start(&cache->panes, outside.waiter, processes, count);
	size_t chosen = panes_choose(&cache->panes, facts->passing, inner, found, processes, count);
	facts->untaken = cache->panes.several && !cache->panes.taken && !cache->panes.all_rest;
	facts->foreground = inner[chosen].foreground;
	facts->readable = true;
	read_inner(inner[chosen].device, facts);
	struct search search = {.device = inner[chosen].device, .foreground = inner[chosen].foreground, .cache = cache,
	                        .facts = facts};
	if (waiter_search(&search, processes, count))
		return true;
	/* Input must not go where it would not echo: an editor that runs a tool in the background waits as well. */
	if (outside.wait != WAIT_NONE && facts->canonical && !facts->echo && !t->typed_inside)
		*facts = outside;
	else
		worker_note(&search, processes, count);
	return true;
}

/* No process has run since the last sample: the inner thread still waits, and the processes around it are unchanged. Input
 * that is not known to be taken may have been used by those processes instead of passed on. */
static bool cached_inner_waits(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	struct process_stat stat;
	if (cache->syscall_fd < 0 || cache->terminal == t->device || cache->wait.kind == WAIT_NONE || cache->last.passing ||
	    thread_slices(cache->schedstat_fd, NULL) != cache->slices ||
	    process_stat_of(cache->stat_fd, cache->process, &stat) < 0 || stat.group != stat.terminal_foreground)
		return false;
	if (t->is_untaken || (cache->panes.several && !cache->panes.taken))
		return false;
	facts->inner = true;
	facts->relay_here = cache->relay_here;
	facts->foreground = stat.group;
	read_inner(cache->terminal, facts);
	waiter_note(facts, cache);
	return true;
}

/* A thread that has not run since the last sample is still in the same wait. */
static bool waiter_rests_on(const struct facts_terminal *t, const struct facts_cache *cache, struct facts *facts)
{
	const struct facts *last = &cache->last;
	if (last->wait == WAIT_NONE || last->threads > 1 || last->relay || last->passing || cache->syscall_fd < 0 ||
	    (last->inner && (t->is_untaken || last->unread > 0)) ||
	    (last->inner && cache->panes.several && !cache->panes.taken) ||
	    cache->outer_foreground != facts->foreground || cache->wait.kind == WAIT_NONE ||
	    thread_slices(cache->schedstat_fd, NULL) != last->slices)
		return false;
	facts_repeat(cache, facts);
	return true;
}

/* A program just ended by a signal still shows its interrupted call. */
static void check_waiter(struct facts_cache *cache, struct facts *facts)
{
	struct process_stat stat;
	if (process_stat_of(cache->stat_fd, cache->process, &stat) < 0 || stat.exiting ||
	    (facts->waiter == facts->waiter_thread && stat.state != 'S')) {
		waiter_clear(facts);
		return;
	}
	memcpy(facts->name, stat.name, sizeof facts->name);
	facts->cpu_ns = process_cpu_ns(cache->process);
	facts->threads = (uint8_t)(stat.threads < 255 ? stat.threads : 255);
	if (facts->waiter != facts->waiter_thread)
		facts->activity = worker_activity(&stat, &facts->main_timeout_ms);
}

void facts_before_input(const struct facts_terminal *t, struct facts_cache *cache)
{
	struct process_stat processes[PROCESSES_MAX];
	struct inner inner[PANES_MAX];
	size_t count = read_processes(t, processes), found = inner_terminals(t, processes, count, inner);
	cache->panes.several = found > 1 || !cache->relay_here;
	cache->panes.taken = false;
	panes_note(&cache->panes, inner, cache->panes.several ? found : 0, processes, count);
}

/* Reads all processes of the session. False when a working process started to wait during the search. */
static bool search_anew(const struct facts_terminal *t, struct search *search)
{
	struct process_stat processes[PROCESSES_MAX];
	struct facts *facts = search->facts;
	struct facts_cache *cache = search->cache;
	size_t count = read_processes(t, processes);
	bool waits = waiter_search(search, processes, count), is_complete = true;
	/* A relay that hides its calls is recognised by the terminal below it. */
	facts->relay = waits && waiter_is_relay(cache);
	bool relays = facts->relay || !facts->readable;
	/* The multiplexer rests, so everything it started for this input exists by now. */
	if (facts->relay && cache->panes.count > 0 && !cache->panes.taken)
		count = read_processes(t, processes);
	if (!(relays && search_inner(t, cache, processes, count, facts)) && !waits)
		is_complete = worker_note(search, processes, count);
	if (facts->wait != WAIT_NONE)
		check_waiter(cache, facts);
	return is_complete;
}

static void sample(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	*facts = (struct facts){.readable = true, .timeout_ms = WAIT_FOREVER, .read_timeout_ms = WAIT_FOREVER,
	                        .main_timeout_ms = WAIT_FOREVER, .state = '?'};
	read_modes(t->master, facts);
	facts->unread = system_unread(t->slave);
	facts->emptied = t->slave >= 0 && facts->unread == 0;
	pid_t foreground = 0;
	if (t->master >= 0 && ioctl(t->master, TIOCGPGRP, &foreground) == 0)
		facts->foreground = foreground;
	if (facts->foreground <= 0 || waiter_rests_on(t, cache, facts))
		return;
	bool is_other_program = cache->outer_foreground != facts->foreground;
	cache->outer_foreground = facts->foreground;
	struct search search = {.device = t->device, .foreground = facts->foreground, .cache = cache, .facts = facts};
	bool waits = waiter_kept_waits(&search);
	bool is_news = waits && cache->wait.kind == WAIT_POLL && cache->wait.sockets > 0 && cache->woken;
	if ((waits && !waiter_is_relay(cache) && !is_news) || (!waits && cached_inner_waits(t, cache, facts))) {
		check_waiter(cache, facts);
		return;
	}
	if (waiter_kept_runs(&search) || worker_works_on(cache, facts))
		return;
	uint64_t began = clock_ns();
	if (began < cache->search_due && cache->last.wait == WAIT_NONE && !is_other_program && !cache->worker.doubted) {
		facts_repeat(cache, facts);
		return;
	}
	if (!search_anew(t, &search))
		search_anew(t, &search);
	cache->search_due = clock_ns() + SEARCH_SPACING * (clock_ns() - began);
}

void facts_search_anew(struct facts_cache *cache) { cache->search_due = 0; }

/* While the reader does not run, no process behind it receives data: once they rest, they stay at rest. */
static bool readers_rest(const struct facts_terminal *t, const struct facts_cache *cache, const struct facts *facts)
{
	struct process_stat processes[PROCESSES_MAX];
	if (facts->wait != WAIT_READ || !facts->pipes_on || facts->pipe_rests)
		return facts->pipe_rests;
	bool rest = true;
	for (int look = 0; rest && look < 2; look++) {
		size_t count = read_processes(t, processes);
		rest = pipe_readers_rest(cache->process, facts->foreground, cache->terminal, processes, count);
	}
	return rest;
}

/* Modes are read before the search for a waiter. A program that disables echo in between, as before a password prompt, would
 * otherwise be reported with the old mode. */
static void check_echo(const struct facts_terminal *t, struct facts *facts)
{
	struct facts now = *facts;
	if (facts->wait == WAIT_NONE || facts->inner || !facts->echo)
		return;
	read_modes(t->master, &now);
	facts->echo = now.echo;
}

void facts_sample(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	sample(t, cache, facts);
	check_echo(t, facts);
	facts->pipe_rests = readers_rest(t, cache, facts);
	cache->last = *facts;
}
