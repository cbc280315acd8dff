/* Compiled for macOS and not yet run there. Threads of other programs are not read: that needs their task port. */
#include "proctree.h"

#include <libproc.h>
#include <mach/mach_time.h>
#include <signal.h>
#include <string.h>
#include <sys/proc_info.h>
#include <unistd.h>

enum { PROCESSES_MAX = 1024, FAMILY_MAX = 512, STATUS_STOPPED = 4, STATUS_ZOMBIE = 5 }; /* SSTOP, SZOMB of sys/proc.h */

static char state_of(const struct proc_bsdinfo *about, const struct proc_taskinfo *task)
{
	if (about->pbi_status == STATUS_ZOMBIE)
		return 'Z';
	if (about->pbi_status == STATUS_STOPPED)
		return 'T';
	return task->pti_numrunning > 0 ? 'R' : 'S';
}

int process_stat(pid_t pid, struct process_stat *out)
{
	struct proc_bsdinfo about;
	struct proc_taskinfo task = {0};
	if (proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &about, sizeof about) != (int)sizeof about)
		return -1;
	/* Refused for other users' programs: these count as asleep, with one thread. */
	if (proc_pidinfo(pid, PROC_PIDTASKINFO, 0, &task, sizeof task) != (int)sizeof task)
		task.pti_threadnum = 1;
	*out = (struct process_stat){.pid = pid, .parent = (pid_t)about.pbi_ppid, .group = (pid_t)about.pbi_pgid,
	                             .session = getsid(pid), .state = state_of(&about, &task),
	                             .terminal = (dev_t)about.e_tdev, .terminal_foreground = (pid_t)about.e_tpgid,
	                             .exiting = about.pbi_flags & PROC_FLAG_INEXIT, .threads = (unsigned)task.pti_threadnum};
	memcpy(out->name, about.pbi_comm, sizeof out->name - 1);
	return 0;
}

/* The kernel counts in its own ticks. */
uint64_t process_cpu_ns(pid_t pid)
{
	static mach_timebase_info_data_t tick;
	struct proc_taskinfo task;
	if (tick.denom == 0)
		mach_timebase_info(&tick);
	if (proc_pidinfo(pid, PROC_PIDTASKINFO, 0, &task, sizeof task) != (int)sizeof task || tick.denom == 0)
		return 0;
	return (task.pti_total_user + task.pti_total_system) * tick.numer / tick.denom;
}

static size_t process_children(pid_t parent, pid_t *found, size_t count, size_t max)
{
	pid_t children[FAMILY_MAX];
	int bytes = proc_listpids(PROC_PPID_ONLY, (uint32_t)parent, children, sizeof children);
	size_t total = bytes > 0 ? (size_t)bytes / sizeof *children : 0;
	for (size_t i = 0; i < total && count < max; i++)
		if (children[i] > 0)
			found[count++] = children[i];
	return count;
}

size_t process_children_of(pid_t parent, pid_t *found, size_t max) { return process_children(parent, found, 0, max); }

size_t process_descendants(pid_t root, pid_t *found, pid_t *parents, size_t max)
{
	size_t count = 0, next = 0;
	for (pid_t parent = root;; parent = found[next++]) {
		size_t before = count;
		count = process_children(parent, found, count, max);
		for (size_t i = before; parents && i < count; i++)
			parents[i] = parent;
		if (next == count)
			return count;
	}
}

/* This system cannot hold a process number: between check and signal, another process may get it. */
bool process_signal(pid_t pid, pid_t parent, int signal_number)
{
	struct process_stat stat;
	if (parent != 0 && (process_stat(pid, &stat) < 0 || stat.parent != parent))
		return false;
	return kill(pid, signal_number) == 0;
}

size_t process_tree(pid_t root, struct process_stat *processes, size_t max)
{
	pid_t found[PROCESSES_MAX];
	size_t kept = 0, count = process_descendants(root, found, NULL, max < PROCESSES_MAX ? max : PROCESSES_MAX);
	for (size_t i = 0; i < count; i++)
		if (process_stat(found[i], &processes[kept]) == 0 && !processes[kept].exiting)
			kept++;
	return kept;
}

bool process_ignores(pid_t pid, int signal_number)
{
	(void)pid;
	(void)signal_number;
	return false;
}
