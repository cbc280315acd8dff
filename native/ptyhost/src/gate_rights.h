/*
 * The capabilities of the programs behind a gate. A supervisor of root leaves out those that a program does not have. Where a program has its own user
 * namespace, a call that needs the rights of the program there is made inside it.
 */
#ifndef PTYHOST_GATE_RIGHTS_H
#define PTYHOST_GATE_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

/* The thread has fewer capabilities than this process, or its own user namespace. */
bool gate_rights_are_fewer(pid_t thread);
/* Until they are given back, this process has only those of the thread that was asked about, and what finding its paths needs. */
bool gate_rights_take_fewer(void);
void gate_rights_give_back(void);

/*
 * Runs the work in a process that shares this one's memory and descriptors, and has the user namespace, the effective user and the capabilities of the
 * thread. False where that cannot be.
 */
bool gate_rights_run_inside(pid_t thread, void (*work)(void *), void *context);

#endif
