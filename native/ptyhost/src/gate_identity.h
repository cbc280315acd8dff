/* The rights of the programs behind a gate: the supervisor reaches files with them. */
#ifndef PTYHOST_GATE_IDENTITY_H
#define PTYHOST_GATE_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

/* The mask for files that a process makes. */
mode_t gate_mask_of(pid_t thread);
/* The mask of a process may have changed. */
void gate_forget_masks(void);
/* True where this process can act with the rights of the thread's. */
bool gate_can_act_as(pid_t thread);
/*
 * Until it is given back, files are reached with the rights of the thread's process. False where they cannot be taken. Only root can have
 * another identity than its programs: the identity for files takes the rights of root away.
 */
bool gate_take_identity(pid_t thread);
/* Within this the whole process is the thread's user, as others see it. */
void gate_be_user(bool is_beginning);
/* Returns whether there was one to give back. */
bool gate_give_back_identity(void);

#endif
