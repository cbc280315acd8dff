/* The waits of an io_uring ring. */
#ifndef PTYHOST_URING_H
#define PTYHOST_URING_H

#include <stdbool.h>
#include <sys/types.h>

/* True if the ring polls something or reads from it. The target is not visible: in a process whose standard input is a
 * terminal, that terminal is assumed. */
bool uring_reads(pid_t process, int ring);

#endif
