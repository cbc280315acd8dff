/*
 * Kernel facts: which thread waits for what on one terminal, read without touching the program.
 *
 * ptyhost reports facts and judges nothing; the daemon turns them into a verdict. What each fact means and costs:
 *   termios, foreground group and unread input come from ioctls on our own side of the terminal;
 *   the waiting thread from /proc/P/task/T/syscall: the call it blocks in, and whether that call's descriptor is this
 *   terminal (never "descriptor 0": less reads its own 3, zsh its 10, node an epoll inside an epoll);
 *   its time slices from schedstat: an unchanged count between two samples proves that it slept all the time between;
 *   its process's CPU time from that process's own clock, which anyone may read.
 * A program that relays another terminal (tmux, script, sudo) waits on ours for its whole life. Then the facts are those of
  * the inner terminal, and `inner` is set. A setuid program hides its calls; its run state stays readable, and `readable` is
  * false.
 */
#ifndef PTYHOST_FACTS_H
#define PTYHOST_FACTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum wait_kind { WAIT_NONE = 0, WAIT_READ = 1, WAIT_POLL = 2, WAIT_SELECT = 3, WAIT_EPOLL = 4, WAIT_IO_URING = 5 };

/* The activity of a thread that does not wait on the terminal. */
enum activity {
	ACTIVITY_NONE = 0,    /* not sampled: it is the waiter itself */
	ACTIVITY_RUNS = 1,    /* on the processor, or waiting for its turn there */
	ACTIVITY_SLEEPS = 2,  /* for a given time */
	ACTIVITY_CHILD = 3,   /* until a child ends */
	ACTIVITY_NETWORK = 4, /* on a socket, or on several descriptors one of which is a socket */
	ACTIVITY_PIPE = 5,    /* in a read or write of something that is neither terminal nor socket */
	ACTIVITY_THREAD = 6,  /* for another thread: a lock, a join */
	ACTIVITY_DISK = 7,    /* uninterruptibly */
	ACTIVITY_STOPPED = 8,
	ACTIVITY_OTHER = 9,
	ACTIVITY_ROUNDS = 10, /* sleeps for short times, again and again */
};

enum { WAIT_FOREVER = -1, PANES_MAX = 16 };

struct facts {
	bool canonical, echo, signals; /* termios ICANON, ECHO, ISIG; of the inner terminal where there is one */
	bool readable;                 /* the foreground program lets us see its calls */
	bool inner;                    /* all of this is about a terminal inside ours, which a program here relays */
	bool untaken;                  /* of several terminals inside, some work and none is known to have taken the input */
	bool passing;                  /* the relay of the inner terminal works: it may still have input for it */
	bool relay;                    /* the waiter has the other end of an inner terminal that has no process yet */
	bool relay_here;               /* the relay is in the foreground itself; a multiplexer's server is not */
	bool other_threads_work;       /* while one thread of it waits, others use the processor */
	bool emptied;                  /* nothing is unread: of all whole lines, or keys, proof that they have been taken */
	bool pipes_on;                 /* its standard output is a pipe: another program takes what it reads */
	bool pipe_rests;               /* the readers of that pipe have read all of it and wait for more */
	bool own_descriptor;           /* it waits on a descriptor of its own, not on its standard input */
	enum wait_kind wait;           /* what the waiting thread does; NONE when no thread waits on this terminal */
	enum activity activity;        /* of the main thread when another one waits, or when none does */
	char state;                    /* run state of the waiting thread, else of the process that is at work */
	uint8_t other_fds;             /* descriptors other than this terminal in the same poll, select or epoll, at most 255 */
	uint8_t sockets;               /* how many of them are sockets */
	uint8_t children;              /* of a thread that waits for several things: processes it has started, at most 255 */
	pid_t foreground;              /* process group; 0 when there is none */
	pid_t waiter, waiter_thread;   /* 0 when no thread waits on this terminal */
	int32_t read_timeout_ms;       /* raw terminals may end each read after a time; else WAIT_FOREVER */
	int32_t timeout_ms;            /* of the wait, or of the terminal's reads; WAIT_FOREVER without one */
	int32_t main_timeout_ms;       /* of the main thread's own poll, when another one waits; WAIT_FOREVER without one */
	uint32_t read_bytes;           /* asked for by a read; 1 means key by key */
	uint32_t unread;               /* input in the terminal that the program has not taken */
	uint64_t slices;               /* time slices so far of the waiting thread, or of a worker that hides its calls */
	uint64_t call_site;            /* where in the program the wait was called, and on what; 0 when that is not known */
	uint8_t threads;               /* of that process, at most 255 */
	uint64_t cpu_ns;               /* CPU time of all threads of the process named below */
	uint64_t thread_cpu_ns;        /* CPU time of the waiting thread alone */
	pid_t worker;                  /* the process that works, or hides its calls, when no thread is seen to wait; else 0 */
	uint64_t began_ns;             /* when that process began, by the monotonic clock; exact to some 10 ms */
	char name[16];                 /* of the waiter, else of the worker */
};

struct tty_wait {
	enum wait_kind kind;
	enum activity activity; /* where kind is NONE */
	int32_t timeout_ms;     /* of the call, or of the timers among its descriptors */
	int32_t timer_ms;       /* of those alone, until the next one goes off */
	uint32_t read_bytes;
	uint64_t call_site;     /* of the same place in the program, with the same descriptors, the same number */
	uint8_t other_fds, sockets, masters; /* masters: other ends of further terminals, which a relay has */
	bool own_descriptor;
	unsigned examined; /* descriptors examined */
};

/* The last waiting thread found, with its /proc files kept open, and its call. While it has not run since, the call need
 * not be parsed again. */
struct facts_cache {
	pid_t process, thread;
	int syscall_fd, schedstat_fd, stat_fd;
	dev_t terminal; /* that it waits on */
	bool own;       /* which is the process's own: /dev/tty means it */
	bool signalled; /* the terminal signals its process when input comes: it need not wait in a call on it */
	uint64_t slices;
	struct tty_wait wait;
	bool woken;     /* it has run since the sample before */
	unsigned children; /* as in struct facts */
	unsigned wakes; /* samples that found it woken, since it was last searched for a terminal inside */
	bool relay_here; /* as in struct facts, of the relay around it */
	bool pipes_on;  /* as in struct facts */
	bool relay;     /* its process has the other end of a terminal inside */
	uint64_t cpu_ns; /* CPU time of the thread */
	unsigned trusted; /* samples at which it ran, since it was last seen to wait */
	pid_t outer_foreground; /* of the session's own terminal, at the last sample that was no repetition */
	struct facts last;
	uint64_t search_due; /* a whole search without a result is repeated only after a multiple of its duration */
	struct panes {
		bool several; /* terminals inside, or one of a multiplexer, which may open more: the active one must be chosen */
		bool all_rest; /* no process on any of them has run since the last input: it was for the multiplexer */
		bool taken;   /* it is known which one took the last input */
		dev_t active; /* it, or the one that took an input before; 0 while none did */
		pid_t newest; /* process, when the last input went out */
		size_t count; /* as they were before the last input; 0 when there was nothing to choose */
		struct pane {
			dev_t device;
			pid_t waiter; /* 0 when no process waited on it */
			bool starts;  /* it was opened by the input before, and its program did not wait yet: input goes there */
			uint64_t slices;
		} noted[PANES_MAX];
	} panes;
	struct facts_worker {
		pid_t process, foreground;
		int schedstat_fd, stat_fd;
		uint64_t slices;
		enum activity activity;
		uint64_t naps_from, naps_at; /* slices and time at which its naps were last counted from; 0 when it did not sleep */
		bool readable;
		unsigned trusted; /* samples since the last whole search */
		bool alone;       /* in its group, with one thread, and without servers: no other process may start to wait */
		bool doubted;     /* something has happened since */
	} worker;       /* the process that worked while none waited */
};

void facts_cache_init(struct facts_cache *);
void facts_cache_clear(struct facts_cache *);
/* Something happened: the next sample searches again for a waiting thread. */
void facts_cache_doubt(struct facts_cache *);

/* Forces the next sample to be true at its very moment. */
void facts_search_anew(struct facts_cache *);

struct facts_terminal {
	int master, slave;  /* slave is -1 once the program has gone */
	dev_t device;       /* st_rdev of the slave */
	pid_t leader;
	bool typed_inside;  /* the last input went to a program that waited on a terminal inside */
	bool is_untaken;    /* the last input is not known to have been taken */
	pid_t root;         /* all processes of the session are below it, including those that left the leader */
};

/* To be called before input goes out, after a sample. */
void facts_before_input(const struct facts_terminal *, struct facts_cache *);
void facts_sample(const struct facts_terminal *, struct facts_cache *, struct facts *);

#endif
