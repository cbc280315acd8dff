/*
 * Facts without a /proc: compiled for macOS and not yet run there.
 *
 * The blocking call of a thread in another program cannot be read here without excessive rights. So every program is
  * reported as one that hides its calls (`readable` is false), as the daemon knows it from setuid programs. Terminal modes,
  * the foreground group, the run state and CPU time remain. Marks and quiet time do the rest, with lower confidence.
  * Inner terminals (tmux, script) are not searched for.
 */
#include "facts.h"

#include "proctree.h"
#include "system.h"

#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

enum { PROCESSES_MAX = 256 };

void facts_cache_init(struct facts_cache *cache) { *cache = (struct facts_cache){.syscall_fd = -1}; }

/* No state is retained between samples, so these four have nothing to release. */
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

/* The youngest member of the foreground group represents the group best; a running one takes precedence. */
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
