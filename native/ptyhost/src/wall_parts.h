/* The parts of the wall on Linux. Each says what it cannot do by its result, and the caller goes on with what is left. */
#ifndef PTYHOST_WALL_PARTS_H
#define PTYHOST_WALL_PARTS_H

#include "wall.h"
#include "wall_options.h"

enum {
	WALL_REPORT_FD = 10,  /* the wall inside tells the one outside */
	WALL_PROGRAM_FD = 11, /* this binary, wherever it lies and whether or not it still has a name */
	WALL_FILTER_FD = 12,  /* the system calls that are refused, as bubblewrap reads them */
	WALL_RELAY_PORT = 3128, /* where the relay listens inside; the usual port of a proxy */
	WALL_RELAY_CONNECTIONS_MAX = 64, /* at once; further ones wait */
	WALL_OOM_SCORE = 500, /* of 1000: when the whole machine has no memory left, what is in a sandbox goes first */
	WALL_LEFT_MS = 100,   /* what the program has left running may still write for so long, as long as an exit waits outside */
	WALL_CHECK_MS = 50,   /* between two looks at memory and processes where no control group holds them */
	WALL_REST_MS = 250,   /* the same while they are far from their limits */
	WALL_SWEEP_MAX = 256, /* control groups of ended sandboxes that one start removes */
};

enum wall_report_kind { WALL_HELLO = 1, WALL_STARTED = 2, WALL_ENDED = 3 };
struct wall_report {
	int32_t kind;
	int32_t value; /* started: stage << 16 | errno, or 0. ended: wait status */
};

/* Writes the filter of system calls into a pipe: its end to read, or -1. */
int wall_filter(void);

/* Loads the same filter for the calling process and what it starts. */
bool wall_filter_load(void);

/* The version of Landlock that this kernel has; 0 without. */
int wall_landlock_version(void);

/* From here on this process writes below the named paths and on its own terminal alone, and reaches no abstract socket and no process outside. */
void wall_landlock(const struct wall_options *);

/* The control groups of one sandbox. */
struct wall_groups {
	char folders[2][512];
	size_t count;
	bool memory, processes; /* held by them */
};
void wall_groups_make(struct wall_groups *, const struct wall_options *);
/* The calling process, and what it starts from now on. */
void wall_groups_join(const struct wall_groups *);
void wall_groups_remove(const struct wall_groups *);

/* Holds what the groups do not: ends the largest process, or the whole sandbox. Returns in how many ms it wants to look again, or -1. */
int wall_watch(const struct wall_options *, const struct wall_groups *, pid_t bwrap, int terminal);
/* The same of processes that somebody has found. */
struct wall_seen {
	const pid_t *pids;
	size_t count;
	pid_t all;    /* is killed when there are too many of them */
	int terminal; /* is told; -1: nobody is */
};
int wall_hold(const struct wall_options *, const struct wall_groups *, const struct wall_seen *);

/* Limits of the calling process. */
void wall_limit_process(const struct wall_options *);

/* Inside a container that has been joined: runs the program as the wall does. Returns when it has ended. */
int wall_inside_container(const struct wall_options *, char **program);
/* What process 1 inside does first: no descriptors of outside, a name, and nobody may look into it. */
void wall_settle_inside(const char *name);
/* When the machine has no memory left, this goes before what is outside. */
void wall_go_first(void);
void wall_let_go_of_terminal(void);
/* Both ends of what the wall outside is told. Taking one waits unless `flags` say otherwise; the kernel says who has sent it, by the number that
 * process has here. */
void wall_report(enum wall_report_kind, int32_t value);
bool wall_report_take(int socket, struct wall_report *, pid_t *sender, int flags);

/* Listens inside and hands connections on, in a process of its own; -1 when it cannot. */
pid_t wall_start_relay(const char *socket_path);
/* Listens inside the sandbox, before the program starts: the socket, or -1. */
int wall_relay_listen(void);
/* Hands each connection to the proxy's socket; does not return. */
void wall_relay(int listener, const char *socket_path);

#endif
