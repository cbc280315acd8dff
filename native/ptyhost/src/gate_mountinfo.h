/* The mounts of a process as /proc/PID/mountinfo lists them. */
#ifndef PTYHOST_GATE_MOUNTINFO_H
#define PTYHOST_GATE_MOUNTINFO_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>

struct gate_mount {
	uint64_t id, device;
	bool is_proc;
	char root[PATH_MAX], point[PATH_MAX];
};

/* Reads the mounts of a process, named as in /proc, until one is taken. False when none is. */
bool gate_mountinfo_find(const char *process, bool (*takes)(const struct gate_mount *, void *), void *context, struct gate_mount *);
/* What of a path is below a folder; NULL when it is not. */
const char *gate_path_below(const char *path, const char *folder);

#endif
