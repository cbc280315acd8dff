#include "worker.h"

#include "limits.h"
#include "loop.h"
#include "system.h"
#include "tty_wait.h"

#include <string.h>
#include <unistd.h>

enum { TRUSTED_MAX = 30, TRUSTED_MANY_MAX = 1, ROUNDS_MIN = 3 };

/* Several naps within this time are rounds, however often samples are taken. */
static const uint64_t naps_ns = 250 * MS;

/* No terminal has this number, so any wait is for something else. */
static const dev_t no_terminal = (dev_t)-1;

void worker_forget(struct facts_worker *worker)
{
	fd_close(&worker->schedstat_fd);
	fd_close(&worker->stat_fd);
	worker->process = 0;
}

/* Returns the activity; of a process that only sleeps for short times, again and again, that. `kept` is as it was before. */
static enum activity with_naps(struct facts_worker *kept, enum activity activity, uint64_t slices)
{
	if (activity != ACTIVITY_SLEEPS) {
		kept->naps_at = 0;
		return activity;
	}
	uint64_t now = loop_now();
	bool counts = kept->naps_at > 0 && now - kept->naps_at <= naps_ns;
	bool naps = counts && slices - kept->naps_from >= ROUNDS_MIN;
	bool goes_on = kept->activity == ACTIVITY_ROUNDS && counts;
	if (naps || !counts) {
		kept->naps_from = slices;
		kept->naps_at = now;
	}
	return naps || goes_on ? ACTIVITY_ROUNDS : ACTIVITY_SLEEPS;
}

/* Returns the activity of the main thread; with `device` not 0, it may turn out to wait on it. */
static enum activity activity_on(const struct process_stat *process, dev_t device, bool *waits, int32_t *timeout_ms)
{
	*waits = false;
	*timeout_ms = WAIT_FOREVER;
	if (process->state == 'R')
		return ACTIVITY_RUNS;
	if (process->state == 'D')
		return ACTIVITY_DISK;
	if (process->state == 'T' || process->state == 't')
		return ACTIVITY_STOPPED;
	int fd = thread_file(process->pid, process->pid, "syscall");
	struct tty_wait wait = {.activity = ACTIVITY_OTHER, .timeout_ms = WAIT_FOREVER};
	if (fd >= 0) {
		if (tty_wait_read(fd, process->pid, device, device != no_terminal, &wait) < 0)
			wait.activity = ACTIVITY_OTHER;
		*waits = wait.kind != WAIT_NONE;
		*timeout_ms = wait.timeout_ms;
		close(fd);
	}
	return wait.activity;
}

enum activity worker_activity(const struct process_stat *process, int32_t *timeout_ms)
{
	bool waits;
	return activity_on(process, no_terminal, &waits, timeout_ms);
}

/* Nothing has changed since the last sample except the terminal's own reports. */
void facts_repeat(const struct facts_cache *cache, struct facts *facts)
{
	struct facts now = *facts;
	*facts = cache->last;
	facts->unread = now.unread;
	facts->emptied = now.emptied;
	if (facts->inner)
		return;
	facts->canonical = now.canonical;
	facts->echo = now.echo;
	facts->signals = now.signals;
	facts->read_timeout_ms = now.read_timeout_ms;
	if (facts->wait == WAIT_READ)
		facts->timeout_ms = now.read_timeout_ms;
}

/* The youngest member of the foreground group represents the group best: the others wait for it. */
static const struct process_stat *youngest(const struct search *search, const struct process_stat *processes,
                                           size_t count, unsigned *members)
{
	const struct process_stat *found = NULL;
	*members = 0;
	for (size_t i = 0; i < count; i++)
		if (processes[i].group == search->foreground && processes[i].terminal == search->device &&
		    processes[i].state != 'Z')
			found = &processes[i], ++*members;
	return found;
}

/* Processes without a terminal of their own may still wait on this one. */
static bool has_servers(const struct process_stat *processes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (processes[i].terminal == 0)
			return true;
	return false;
}

/* Reads the number of time slices first, then the activity: if it turns to something else, the count will have changed. False
 * if it no longer works. */
static bool keep_worker(struct search *search, struct process_stat worker)
{
	struct facts *facts = search->facts;
	struct facts_worker *kept = &search->cache->worker;
	pid_t before = kept->process;
	bool waits;
	int32_t timeout_ms;
	worker_forget(kept);
	kept->process = worker.pid;
	kept->foreground = search->foreground;
	kept->schedstat_fd = thread_file(worker.pid, worker.pid, "schedstat");
	kept->stat_fd = thread_file(worker.pid, worker.pid, "stat");
	kept->slices = thread_slices(kept->schedstat_fd, NULL);
	bool is_gone = process_stat_of(kept->stat_fd, worker.pid, &worker) < 0;
	facts->state = worker.state;
	if (before != worker.pid)
		kept->naps_at = 0;
	facts->activity = with_naps(kept, activity_on(&worker, search->device, &waits, &timeout_ms), kept->slices);
	kept->activity = facts->activity;
	kept->readable = facts->readable;
	kept->trusted = 0;
	kept->doubted = waits || is_gone;
	return !kept->doubted;
}

/* For a program that hides its calls, only two facts are known: whether it has run since its input, and whether it started then. */
static void note_hidden(const struct process_stat *worker, struct facts *facts)
{
	if (facts->readable)
		return;
	int schedstat = thread_file(worker->pid, worker->pid, "schedstat");
	facts->worker = worker->pid;
	facts->began_ns = process_began_ns(worker);
	facts->slices = thread_slices(schedstat, NULL);
	if (schedstat >= 0)
		close(schedstat);
}

bool worker_note(struct search *search, const struct process_stat *processes, size_t count)
{
	struct facts *facts = search->facts;
	struct facts_worker *kept = &search->cache->worker;
	unsigned members;
	const struct process_stat *worker = youngest(search, processes, count, &members);
	if (!worker) {
		worker_forget(kept);
		return true;
	}
	memcpy(facts->name, worker->name, sizeof facts->name);
	facts->cpu_ns = process_cpu_ns(worker->pid);
	note_hidden(worker, facts);
	if (facts->inner) {
		worker_forget(kept);
		facts->state = worker->state;
		int32_t timeout_ms;
		facts->activity = worker_activity(worker, &timeout_ms);
		return true;
	}
	kept->alone = members == 1 && worker->threads <= 1 && !has_servers(processes, count);
	return keep_worker(search, *worker);
}

static void report_worker(const struct facts_worker *kept, const struct process_stat *stat, struct facts *facts)
{
	memcpy(facts->name, stat->name, sizeof facts->name);
	facts->state = stat->state;
	facts->activity = kept->activity;
	facts->readable = kept->readable;
	facts->cpu_ns = process_cpu_ns(kept->process);
}

/* It has run, so it may have caused the change. Unless it waits on the terminal, it is still working. */
static bool worker_ran_on(struct facts_worker *kept, uint64_t slices, struct facts *facts)
{
	struct process_stat stat;
	if (!kept->readable || process_stat_of(kept->stat_fd, kept->process, &stat) < 0 || stat.exiting ||
	    stat.state == 'Z' || stat.group != facts->foreground)
		return false;
	int32_t timeout_ms;
	enum activity activity = worker_activity(&stat, &timeout_ms);
	if (activity != ACTIVITY_RUNS && activity != ACTIVITY_SLEEPS && activity != ACTIVITY_DISK)
		return false;
	kept->activity = with_naps(kept, activity, slices);
	kept->slices = slices;
	kept->doubted = false;
	report_worker(kept, &stat, facts);
	return true;
}

/* The process that worked still works: most samples of a busy program end here. */
bool worker_works_on(struct facts_cache *cache, struct facts *facts)
{
	struct facts_worker *kept = &cache->worker;
	struct process_stat stat;
	if (kept->process == 0 || kept->foreground != facts->foreground ||
	    ++kept->trusted > (kept->alone ? TRUSTED_MAX : TRUSTED_MANY_MAX))
		return false;
	uint64_t slices = thread_slices(kept->schedstat_fd, NULL);
	if (slices != kept->slices)
		return worker_ran_on(kept, slices, facts);
	/* Something happened, but this process did not cause it. */
	if (kept->doubted && kept->activity != ACTIVITY_RUNS)
		return false;
	bool is_settled = kept->activity != ACTIVITY_RUNS && kept->activity != ACTIVITY_DISK;
	if (is_settled && cache->last.state == 'S' && cache->last.wait == WAIT_NONE) {
		facts_repeat(cache, facts);
		return true;
	}
	/* The kernel shows both states slightly too early or too late: a process about to wait for the disk may not have to, and
	 * continues without another time slice. */
	if (process_stat_of(kept->stat_fd, kept->process, &stat) < 0 || stat.exiting || stat.state == 'Z' ||
	    (kept->activity == ACTIVITY_RUNS) != (stat.state == 'R') ||
	    (kept->activity == ACTIVITY_DISK) != (stat.state == 'D'))
		return false;
	report_worker(kept, &stat, facts);
	return true;
}

