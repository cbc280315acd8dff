/* Whether the programs behind a pipe have read all that was written to it, and wait for more. */
#ifndef PTYHOST_PIPE_REST_H
#define PTYHOST_PIPE_REST_H

#include "proctree.h"

#include <stdbool.h>
#include <stddef.h>

/* For a program whose standard output is a pipe: one process of its foreground group sleeps in a read of that pipe, and all
 * others of the group sleep in a read or write of a pipe, or until a child ends. None of them can continue before the
 * writer does.
 *
 * One check can be wrong: a process seen at rest may have received data from one checked later, or wait for a child that
 * started after `processes` were read. Two checks in a row, each with processes read again, cannot. */
bool pipe_readers_rest(pid_t writer, pid_t group, dev_t terminal, const struct process_stat *processes, size_t count);

#endif
