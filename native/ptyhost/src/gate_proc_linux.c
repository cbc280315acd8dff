#include "gate_proc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { LEVELS_MAX = 33, STATUS_BYTES = 4096 };

/* The numbers of a process and its thread, from the namespace of the /proc that they were read from to the innermost one. */
struct numbers {
	long process[LEVELS_MAX], task[LEVELS_MAX];
	size_t count;
};

bool gate_proc_holds(int folder)
{
	struct statfs seen;
	return fstatfs(folder, &seen) == 0 && seen.f_type == PROC_SUPER_MAGIC;
}

static size_t read_row(const char *status, const char *row, long *numbers)
{
	const char *at = strstr(status, row);
	size_t count = 0;
	if (!at)
		return 0;
	for (at += strlen(row); *at == '\t' && count < LEVELS_MAX; count++) {
		char *end;
		numbers[count] = strtol(at, &end, 10);
		at = end;
	}
	return count;
}

static bool read_numbers(int proc, long number, struct numbers *numbers)
{
	char name[32], status[STATUS_BYTES];
	snprintf(name, sizeof name, "%ld/status", number);
	int fd = openat(proc, name, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, status, sizeof status - 1);
	if (fd >= 0)
		close(fd);
	if (length < 0)
		return false;
	status[length] = 0;
	numbers->count = read_row(status, "\nNStgid:", numbers->process);
	return numbers->count > 0 && read_row(status, "\nNSpid:", numbers->task) == numbers->count;
}

/* The same process seen from a namespace further in has the same inner numbers. */
static bool is_seen_from(const struct numbers *inside, const struct numbers *outside, size_t level)
{
	size_t count = outside->count - level;
	return inside->count == count && memcmp(inside->process, outside->process + level, count * sizeof *inside->process) == 0;
}

int gate_proc_self(int proc, pid_t thread, bool is_thread, char *target, size_t size)
{
	struct numbers ours, theirs;
	int own = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool is_read = own >= 0 && read_numbers(own, thread, &ours);
	if (own >= 0)
		close(own);
	/* Which of the namespaces this /proc belongs to is known only by what it shows. */
	for (size_t level = 0; is_read && level < ours.count; level++) {
		if (!read_numbers(proc, ours.process[level], &theirs) || !is_seen_from(&theirs, &ours, level))
			continue;
		if (is_thread)
			snprintf(target, size, "%ld/task/%ld", ours.process[level], ours.task[level]);
		else
			snprintf(target, size, "%ld", ours.process[level]);
		return 0;
	}
	return ENOENT;
}
