/* Walks a path one component after the other, as a process would: from its folder, below its root, through its own links of /proc. */
#ifndef PTYHOST_GATE_WALK_H
#define PTYHOST_GATE_WALK_H

#include "gate_paths.h"

/* O_PATH descriptors. -1 with errno. */
int gate_open_path(int folder, const char *path, int flags);
/* `what`: root, cwd or fd/N of the process. */
int gate_open_of_process(pid_t thread, const char *what);
/* The folder that its relative paths begin in. */
int gate_open_folder_of(const struct gate_caller *);

bool gate_is_link(int folder, const char *name);

/* Sets the folder and the name of a place, and whether a slash is behind it. Returns 0, or the errno that the call would have. */
int gate_walk(const struct gate_caller *, const char *path, enum gate_end, struct gate_place *);

#endif
