/* The descendants of a process, read from /proc. */
#ifndef PTYHOST_PROCTREE_H
#define PTYHOST_PROCTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The fields of /proc/P/stat. */
struct process_stat {
	pid_t pid, parent, group, session;
	dev_t terminal;     /* controlling terminal, 0 without one */
	pid_t terminal_foreground; /* foreground group of that terminal */
	char state;         /* R S D T t Z X */
	bool exiting;
	unsigned threads;
	uint64_t start_ticks; /* its start, in clock ticks since the machine started */
	char name[16];
};

/* Zero on success; -1 when the process has ended. */
int process_stat(pid_t, struct process_stat *);
/* The same, from an open /proc/P/stat. */
int process_stat_of(int stat_fd, pid_t, struct process_stat *);

/* The threads of a process, the main one among them, at most `max`. */
/* Children that the thread has started and that have not been waited for. */
unsigned children_count(pid_t process, pid_t thread);
size_t process_threads(pid_t, pid_t *found, size_t max);
/* Opens /proc/P/task/T/NAME; -1 with errno. */
int thread_file(pid_t process, pid_t thread, const char *name);
/* The number of time slices of a thread from its open schedstat, and its time on the processor. */
uint64_t thread_slices(int schedstat_fd, uint64_t *cpu_ns);
/* The start of a process by the monotonic clock. The kernel counts in steps of some 10 ms. */
uint64_t process_began_ns(const struct process_stat *);
/* CPU time of all threads of a process. */
uint64_t process_cpu_ns(pid_t);

/* True if it ignores the signal. False if that cannot be read. */
bool process_ignores(pid_t, int signal_number);

/* The descendants of `root` (without itself), parents before children, at most `max`, with their parents unless that is NULL.
 * Processes that fork meanwhile may be missed, so a caller that ends a tree repeats until nothing is left. */
size_t process_descendants(pid_t root, pid_t *found, pid_t *parents, size_t max);
/* Only its children. */
size_t process_children_of(pid_t parent, pid_t *found, size_t max);

/* Signals a process if it is a child of `parent`, because its number may have been reused. 0: whatever its parent. */
bool process_signal(pid_t, pid_t parent, int signal_number);

/* The same, with the state of each process and without those about to end. */
size_t process_tree(pid_t root, struct process_stat *, size_t max);

#endif
