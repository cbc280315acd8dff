/* Does the system call that a thread is blocked in wait for one particular terminal? */
#ifndef PTYHOST_TTY_WAIT_H
#define PTYHOST_TTY_WAIT_H

#include "facts.h"

struct tty_wait {
	enum wait_kind kind;
	int32_t timeout_ms;
	uint32_t read_bytes;
	uint8_t other_fds;
};

/* `syscall_fd` is an open /proc/P/task/T/syscall. Zero on success (kind NONE: it waits for something else, or runs),
 * -1 with errno when it cannot be read. */
int tty_wait_read(int syscall_fd, pid_t process, dev_t device, struct tty_wait *);

#endif
