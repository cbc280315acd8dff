/*
 * Facts without a /proc: compiled for macOS and not yet run there.
 *
 * In which call a thread of another program blocks is not to be known here without rights that nobody should need. So
 * every program is reported as one that hides its calls (`readable` is false), which the daemon knows from setuid
 * programs: the terminal's modes, the foreground group, its run state and CPU time stay, and marks and quiet time do the
 * rest, with lower confidence. Terminals inside (tmux, script) are not searched for.
 */
#include "facts.h"

#include "proctree.h"
#include "system.h"

#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

enum { PROCESSES_MAX = 256 };

void facts_cache_init(struct facts_cache *cache) { *cache = (struct facts_cache){.syscall_fd = -1}; }

/* Nothing is kept from one sample to the next, so these four have nothing to release. */
void facts_cache_clear(struct facts_cache *cache) { (void)cache; }
void facts_cache_doubt(struct facts_cache *cache) { (void)cache; }
void facts_search_anew(struct facts_cache *cache) { (void)cache; }

void facts_before_input(const struct facts_terminal *t, struct facts_cache *cache)
{
	(void)t;
	(void)cache;
}

static void read_terminal(const struct facts_terminal *t, struct facts *facts)
{
	struct termios termios;
	pid_t foreground = 0;
	if (t->master >= 0 && tcgetattr(t->master, &termios) == 0) {
		facts->canonical = termios.c_lflag & ICANON;
		facts->echo = termios.c_lflag & ECHO;
		facts->signals = termios.c_lflag & ISIG;
		if (!facts->canonical && termios.c_cc[VMIN] == 0)
			facts->read_timeout_ms = 100 * termios.c_cc[VTIME];
	}
	facts->unread = system_unread(t->slave);
	facts->emptied = t->slave >= 0 && facts->unread == 0;
	if (t->master >= 0 && ioctl(t->master, TIOCGPGRP, &foreground) == 0)
		facts->foreground = foreground;
}

/* The youngest member of the foreground group shows best what the group does; one that runs goes before those that sleep. */
void facts_sample(const struct facts_terminal *t, struct facts_cache *cache, struct facts *facts)
{
	(void)cache;
	*facts = (struct facts){.timeout_ms = WAIT_FOREVER, .read_timeout_ms = WAIT_FOREVER,
	                        .main_timeout_ms = WAIT_FOREVER, .state = '?'};
	read_terminal(t, facts);
	struct process_stat processes[PROCESSES_MAX];
	size_t own = process_stat(t->leader, processes) == 0;
	size_t count = own + process_tree(t->leader, processes + own, PROCESSES_MAX - own);
	const struct process_stat *worker = NULL;
	for (size_t i = 0; i < count; i++)
		if (processes[i].group == facts->foreground && processes[i].state != 'Z' &&
		    (!worker || worker->state != 'R' || processes[i].state == 'R'))
			worker = &processes[i];
	if (!worker)
		return;
	memcpy(facts->name, worker->name, sizeof facts->name);
	facts->state = worker->state;
	facts->activity = worker->state == 'R' ? ACTIVITY_RUNS : ACTIVITY_OTHER;
	facts->threads = (uint8_t)(worker->threads < 255 ? worker->threads : 255);
	facts->cpu_ns = process_cpu_ns(worker->pid);
}
