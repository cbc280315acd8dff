/* What a ring of io_uring waits for. */
#ifndef PTYHOST_URING_H
#define PTYHOST_URING_H

#include <stdbool.h>
#include <sys/types.h>

/* The ring polls something or reads from it. Of what does not show: a ring that does so in a process whose standard input
 * is a terminal is taken to do so there. */
bool uring_reads(pid_t process, int ring);

#endif
