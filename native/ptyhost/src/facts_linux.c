#include "facts.h"

#include "panes.h"
#include "tty_wait.h"
#include "waiter.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES_MAX = 256, TRUSTED_MAX = 30, TRUSTED_MANY_MAX = 3, ROUNDS_MIN = 3, SEARCH_SPACING = 4 };

static uint64_t clock_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void forget_worker(struct facts_worker *worker)
{
	close_fd(&worker->schedstat_fd);
	close_fd(&worker->stat_fd);
	worker->process = 0;
}

void facts_cache_init(struct facts_cache *cache)
{
	*cache = (struct facts_cache){.syscall_fd = -1, .schedstat_fd = -1, .stat_fd = -1,
	                              .worker = {.schedstat_fd = -1, .stat_fd = -1}};
}

void facts_cache_clear(struct facts_cache *cache)
{
	waiter_forget(cache);
	forget_worker(&cache->worker);
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

/* In raw mode a terminal may end each read after a time of its own. */
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

/* Opening it and closing it at once disturbs nobody: the programs on it hold it open. */
static void read_inner_modes(dev_t device, struct facts *facts)
{
	char path[32];
	struct stat stat_buffer;
	snprintf(path, sizeof path, "/dev/pts/%u", minor(device) | (unsigned)(major(device) - 136) << 8);
	int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &stat_buffer) == 0 && stat_buffer.st_rdev == device)
		read_modes(fd, facts);
	if (fd >= 0)
		close(fd);
}

static void note_worker(struct search *search, const struct process_stat *processes, size_t count);

/* The relay waits on our terminal all the time; what counts is who waits on the one inside. False when there is none. */
static bool search_inner(const struct facts_terminal *t, struct facts_cache *cache, const struct process_stat *processes,
                         size_t count, struct facts *facts)
{
	struct inner inner[PANES_MAX];
	size_t found = inner_terminals(t, processes, count, inner);
	cache->panes.several = found > 1;
	if (found == 0)
		return false;
	size_t chosen = found == 1 ? 0 : panes_choose(&cache->panes, inner, found, processes, count);
	struct facts outside = *facts;
	waiter_clear(facts);
	facts->inner = true;
	facts->relay = false;
	facts->relay_here = cache->relay_here = outside.wait != WAIT_NONE && cache->own;
	facts->untaken = found > 1 && !cache->panes.taken && !cache->panes.all_rest;
	facts->foreground = inner[chosen].foreground;
	facts->readable = true;
	read_inner_modes(inner[chosen].device, facts);
	struct search search = {.device = inner[chosen].device, .foreground = inner[chosen].foreground, .cache = cache,
	                        .facts = facts};
	if (waiter_search(&search, processes, count))
		return true;
	/* Nobody is to type where nothing would echo: an editor runs a tool there for itself, and waits all the same. */
	if (outside.wait != WAIT_NONE && facts->canonical && !facts->echo && !t->typed_inside)
		*facts = outside;
	else
		note_worker(&search, processes, count);
	return true;
}

/* Nothing has run since the last look: the thread inside still waits, and so does all around it. */
static bool cached_inner_waits(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	struct process_stat stat;
	if (cache->syscall_fd < 0 || cache->terminal == t->device || cache->wait.kind == WAIT_NONE ||
	    thread_slices(cache->schedstat_fd, NULL) != cache->slices ||
	    process_stat_of(cache->stat_fd, cache->process, &stat) < 0 || stat.group != stat.terminal_foreground)
		return false;
	if (cache->panes.several && !cache->panes.taken)
		return false;
	facts->inner = true;
	facts->relay_here = cache->relay_here;
	facts->foreground = stat.group;
	read_inner_modes(cache->terminal, facts);
	waiter_note(facts, cache);
	return true;
}

/* ---- whoever is at work ---- */

static enum activity activity_of(const struct process_stat *process)
{
	if (process->state == 'R')
		return ACTIVITY_RUNS;
	if (process->state == 'D')
		return ACTIVITY_DISK;
	if (process->state == 'T' || process->state == 't')
		return ACTIVITY_STOPPED;
	int fd = thread_file(process->pid, process->pid, "syscall");
	struct tty_wait wait = {.activity = ACTIVITY_OTHER};
	if (fd >= 0) {
		/* No terminal has this number: whatever it waits for is something else. */
		if (tty_wait_read(fd, process->pid, (dev_t)-1, false, &wait) < 0)
			wait.activity = ACTIVITY_OTHER;
		close(fd);
	}
	return wait.activity;
}

/* Nothing of the last look has changed but what the terminal itself tells. */
static void reuse(const struct facts_cache *cache, struct facts *facts)
{
	struct facts now = *facts;
	*facts = cache->last;
	facts->unread = now.unread;
	if (facts->inner)
		return;
	facts->canonical = now.canonical;
	facts->echo = now.echo;
	facts->signals = now.signals;
	facts->read_timeout_ms = now.read_timeout_ms;
	if (facts->wait == WAIT_READ)
		facts->timeout_ms = now.read_timeout_ms;
}

/* A thread that has not run since the last look still waits as it did. */
static bool waiter_rests_on(const struct facts_cache *cache, struct facts *facts)
{
	const struct facts *last = &cache->last;
	if (last->wait == WAIT_NONE || last->threads > 1 || last->relay || cache->syscall_fd < 0 ||
	    (last->inner && cache->panes.several && !cache->panes.taken) ||
	    cache->outer_foreground != facts->foreground || cache->wait.kind == WAIT_NONE ||
	    thread_slices(cache->schedstat_fd, NULL) != last->slices)
		return false;
	reuse(cache, facts);
	return true;
}

/* Nobody waits. Of the foreground group its youngest member tells best what it is doing: the others wait for it. */
static void note_worker(struct search *search, const struct process_stat *processes, size_t count)
{
	struct facts *facts = search->facts;
	struct facts_worker *kept = &search->cache->worker;
	const struct process_stat *worker = NULL;
	unsigned members = 0;
	for (size_t i = 0; i < count; i++)
		if (processes[i].group == search->foreground && processes[i].terminal == search->device &&
		    processes[i].state != 'Z')
			worker = &processes[i], members++;
	struct facts_worker before = *kept;
	forget_worker(kept);
	if (!worker)
		return;
	memcpy(facts->name, worker->name, sizeof facts->name);
	facts->state = worker->state;
	facts->activity = activity_of(worker);
	facts->cpu_ns = process_cpu_ns(worker->pid);
	if (facts->inner)
		return;
	kept->process = worker->pid;
	kept->foreground = search->foreground;
	kept->schedstat_fd = thread_file(worker->pid, worker->pid, "schedstat");
	kept->stat_fd = thread_file(worker->pid, worker->pid, "stat");
	kept->slices = thread_slices(kept->schedstat_fd, NULL);
	bool slept = before.activity == ACTIVITY_SLEEPS || before.activity == ACTIVITY_ROUNDS;
	if (before.process == worker->pid && slept && facts->activity == ACTIVITY_SLEEPS &&
	    kept->slices - before.slices >= ROUNDS_MIN)
		facts->activity = ACTIVITY_ROUNDS;
	kept->activity = facts->activity;
	kept->readable = facts->readable;
	kept->alone = members == 1 && worker->threads <= 1;
	kept->trusted = 0;
	kept->doubted = false;
}

static void tell_worker(const struct facts_worker *kept, const struct process_stat *stat, struct facts *facts)
{
	memcpy(facts->name, stat->name, sizeof facts->name);
	facts->state = stat->state;
	facts->activity = kept->activity;
	facts->readable = kept->readable;
	facts->cpu_ns = process_cpu_ns(kept->process);
}

/* It has run since, so whatever happened may have been its doing: as long as it waits for nobody it is still at work. */
static bool worker_ran_on(struct facts_worker *kept, uint64_t slices, struct facts *facts)
{
	struct process_stat stat;
	if (!kept->readable || process_stat_of(kept->stat_fd, kept->process, &stat) < 0 || stat.exiting ||
	    stat.state == 'Z' || stat.group != facts->foreground)
		return false;
	enum activity activity = activity_of(&stat);
	if (activity != ACTIVITY_RUNS && activity != ACTIVITY_SLEEPS && activity != ACTIVITY_DISK)
		return false;
	bool slept = kept->activity == ACTIVITY_SLEEPS || kept->activity == ACTIVITY_ROUNDS;
	bool in_rounds = slept && activity == ACTIVITY_SLEEPS && slices - kept->slices >= ROUNDS_MIN;
	kept->activity = in_rounds ? ACTIVITY_ROUNDS : activity;
	kept->slices = slices;
	kept->doubted = false;
	tell_worker(kept, &stat, facts);
	return true;
}

/* Whoever was at work still is: most looks at a busy program end here. */
static bool worker_works_on(struct facts_cache *cache, struct facts *facts)
{
	struct facts_worker *kept = &cache->worker;
	struct process_stat stat;
	if (kept->process == 0 || kept->foreground != facts->foreground ||
	    ++kept->trusted > (kept->alone ? TRUSTED_MAX : TRUSTED_MANY_MAX))
		return false;
	uint64_t slices = thread_slices(kept->schedstat_fd, NULL);
	if (slices != kept->slices)
		return worker_ran_on(kept, slices, facts);
	/* Something happened, and not by it. */
	if (kept->doubted && kept->activity != ACTIVITY_RUNS)
		return false;
	if (cache->last.state == 'S' && cache->last.wait == WAIT_NONE) {
		reuse(cache, facts);
		return true;
	}
	if (process_stat_of(kept->stat_fd, kept->process, &stat) < 0 || stat.exiting || stat.state == 'Z' ||
	    (kept->activity == ACTIVITY_RUNS) != (stat.state == 'R'))
		return false;
	tell_worker(kept, &stat, facts);
	return true;
}

/* A program that a signal has just ended still shows the call it was taken out of. */
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
		facts->activity = activity_of(&stat);
}

void facts_before_input(const struct facts_terminal *t, struct facts_cache *cache)
{
	struct process_stat processes[PROCESSES_MAX];
	struct inner inner[PANES_MAX];
	size_t count = read_processes(t, processes), found = inner_terminals(t, processes, count, inner);
	cache->panes.several = found > 1;
	cache->panes.taken = false;
	panes_note(&cache->panes, inner, found > 1 ? found : 0, processes, count);
}

static void sample(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	*facts = (struct facts){.readable = true, .timeout_ms = WAIT_FOREVER, .read_timeout_ms = WAIT_FOREVER,
	                        .state = '?'};
	read_modes(t->master, facts);
	int unread = 0;
	if (t->slave >= 0 && ioctl(t->slave, FIONREAD, &unread) == 0)
		facts->unread = (uint32_t)unread;
	pid_t foreground = 0;
	if (t->master >= 0 && ioctl(t->master, TIOCGPGRP, &foreground) == 0)
		facts->foreground = foreground;
	if (facts->foreground <= 0 || waiter_rests_on(cache, facts))
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
		reuse(cache, facts);
		return;
	}
	struct process_stat processes[PROCESSES_MAX];
	size_t count = read_processes(t, processes);
	waits = waiter_search(&search, processes, count);
	/* A relay that hides its calls is known by the terminal below it. */
	facts->relay = waits && waiter_is_relay(cache);
	bool relays = (waits && waiter_is_relay(cache)) || !facts->readable;
	if (!(relays && search_inner(t, cache, processes, count, facts)) && !waits)
		note_worker(&search, processes, count);
	if (facts->wait != WAIT_NONE)
		check_waiter(cache, facts);
	cache->search_due = clock_ns() + SEARCH_SPACING * (clock_ns() - began);
}

void facts_search_anew(struct facts_cache *cache) { cache->search_due = 0; }

void facts_sample(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	sample(t, cache, facts);
	cache->last = *facts;
}
