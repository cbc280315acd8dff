/* The mounts of a process, and where in its file system a path is. */
#ifndef PTYHOST_GATE_MOUNTS_H
#define PTYHOST_GATE_MOUNTS_H

#include "gate_paths.h"
#include "gate_status.h"

#include <stdbool.h>
#include <stdint.h>

/* A program changes its mounts now. */
void gate_mounts_change(void);

/* Sets the path of an O_PATH descriptor as a person knows it (PATH_MAX bytes), and its spot. `thread` is a process that sees its mount. */
void gate_mounts_place(int fd, const struct gate_status *, pid_t thread, char *shown, struct gate_spot *);

/* Adds a name to a path of PATH_MAX bytes. False when it is cut: `/…` is added then, as far as there is room. */
bool gate_mounts_append(char *path, const char *name);

/* The spot of a path of the supervisor's own view, for the table. What does not exist yet is placed below its nearest folder. False if it has none. */
bool gate_spot_of(const char *path, struct gate_spot *);

#endif
