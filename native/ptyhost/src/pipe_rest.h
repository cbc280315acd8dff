/* Whether the programs behind a pipe have taken all that was written to it, and wait for more. */
#ifndef PTYHOST_PIPE_REST_H
#define PTYHOST_PIPE_REST_H

#include "proctree.h"

#include <stdbool.h>
#include <stddef.h>

/* Of a program whose standard output is a pipe: somebody of its foreground group sleeps in a read of that pipe, and all
 * others of the group sleep in a read or write of a pipe, or until a child ends. None of them can go on before the
 * writer does.
 *
 * One look can be wrong: who was seen to rest may have been given something by one that was seen later, or wait for a child
 * that began after `processes` were read. Two in a row, each with processes read anew, cannot. */
bool pipe_readers_rest(pid_t writer, pid_t group, dev_t terminal, const struct process_stat *processes, size_t count);

#endif
