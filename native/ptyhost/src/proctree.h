/* Which processes hang below one, read from /proc. */
#ifndef PTYHOST_PROCTREE_H
#define PTYHOST_PROCTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What /proc/P/stat says of a process. */
struct process_stat {
	pid_t pid, parent, group, session;
	char state; /* R S D T t Z X */
	bool exiting;
	char name[16];
};

/* Zero on success; -1 when the process is gone. */
int process_stat(pid_t, struct process_stat *);

/* The descendants of `root` (not itself), parents before children, at most `max`. A process that forks while this
 * reads may be missed: whoever ends a tree asks again until nothing is left. */
size_t process_descendants(pid_t root, pid_t *found, size_t max);

#endif
