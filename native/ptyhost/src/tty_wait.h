/* Whether the system call of a blocked thread waits for one particular terminal, and if not, for what. */
#ifndef PTYHOST_TTY_WAIT_H
#define PTYHOST_TTY_WAIT_H

#include "facts.h"

/* `syscall_fd` is an open /proc/P/task/T/syscall; `own` says whether `device` is the process's controlling terminal, so
 * that /dev/tty means it too. Zero on success (kind NONE: it does something else), -1 with errno when it cannot be read. */
/* Whether the process has asked the terminal for a signal when input comes (O_ASYNC), on any of its descriptors. */
bool tty_signals(pid_t process, dev_t device, bool own);

int tty_wait_read(int syscall_fd, pid_t process, dev_t device, bool own, struct tty_wait *);

#endif
