/*
 * Kernel facts: who is waiting for what on one terminal, read without touching the program.
 *
 * ptyhost reports facts and judges nothing; the daemon turns them into a verdict. What each fact means and costs:
 *   termios, foreground group and unread input come from ioctls on our own side of the terminal;
 *   the waiting thread from /proc/P/task/T/syscall: the call it blocks in, and whether that call's descriptor is this
 *   terminal (never "descriptor 0": less reads its own 3, zsh its 10, node an epoll inside an epoll);
 *   its time slices from schedstat: an unchanged count between two samples proves that it slept all the time between.
 * A setuid program hides its calls; its run state stays readable and `readable` says so.
 */
#ifndef PTYHOST_FACTS_H
#define PTYHOST_FACTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum wait_kind { WAIT_NONE = 0, WAIT_READ = 1, WAIT_POLL = 2, WAIT_SELECT = 3, WAIT_EPOLL = 4 };

enum { WAIT_FOREVER = -1 };

struct facts {
	bool canonical, echo, signals; /* termios ICANON, ECHO, ISIG */
	bool readable;                 /* the foreground program lets us see its calls */
	enum wait_kind wait;           /* what the waiting thread does; NONE when no thread waits on this terminal */
	char state;                    /* run state of the waiting thread, else of the foreground group's leader */
	uint8_t other_fds;             /* descriptors besides this terminal in the same poll, select or epoll, at most 255 */
	pid_t foreground;              /* process group; 0 when there is none */
	pid_t waiter, waiter_thread;   /* 0 when no thread waits on this terminal */
	int32_t timeout_ms;            /* of the wait; WAIT_FOREVER without one */
	uint32_t read_bytes;           /* asked for by a read; 1 means key by key */
	uint32_t unread;               /* input in the terminal that the program has not taken */
	uint64_t slices;               /* time slices of the waiting thread so far */
	char name[16];                 /* of the waiter, else of the foreground group's leader */
};

/* The last waiting thread found, with its /proc files kept open: the common case is then three reads. */
struct facts_cache {
	pid_t process, thread;
	int syscall_fd, schedstat_fd;
};

void facts_cache_init(struct facts_cache *);
void facts_cache_clear(struct facts_cache *);

struct facts_terminal {
	int master, slave;  /* slave is -1 once the program has gone */
	dev_t device;       /* st_rdev of the slave */
	pid_t leader;
};

void facts_sample(const struct facts_terminal *, struct facts_cache *, struct facts *);

#endif
