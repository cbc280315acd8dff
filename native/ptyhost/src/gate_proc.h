/* What /proc shows a program about itself. */
#ifndef PTYHOST_GATE_PROC_H
#define PTYHOST_GATE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

bool gate_proc_holds(int folder);
/*
 * Sets the target that the link `self` or `thread-self` of this /proc has for the thread. Returns 0 or the errno that reading the link has. The link
 * itself names the process that reads it.
 */
int gate_proc_self(int proc, pid_t thread, bool is_thread, char *target, size_t size);

#endif
