/* The parts of the wall on Linux. Each reports failure by its result, and the caller continues with the rest. */
#ifndef PTYHOST_WALL_PARTS_H
#define PTYHOST_WALL_PARTS_H

#include "wall.h"
#include "wall_options.h"

enum {
	WALL_REPORT_FD = 10,  /* reports from the wall inside to the one outside */
	WALL_PROGRAM_FD = 11, /* this binary, even if its file was moved or deleted */
	WALL_FILTER_FD = 12,  /* the system calls that are refused, as bubblewrap reads them */
	WALL_RELAY_PORT = 3128, /* where the relay listens inside; the usual port of a proxy */
	WALL_RELAY_CONNECTIONS_MAX = 64, /* simultaneous; further ones wait */
	WALL_OOM_SCORE = 500, /* of 1000: when the machine runs out of memory, sandboxes are ended first */
	WALL_LEFT_MS = 100,   /* time for remaining processes to write, as for an exit outside */
	WALL_CHECK_MS = 50,   /* polling interval of memory and processes without control groups */
	WALL_REST_MS = 250,   /* the same, far from the limits */
	WALL_SWEEP_MAX = 256, /* control groups of ended sandboxes that one start removes */
};

enum wall_report_kind { WALL_HELLO = 1, WALL_STARTED = 2, WALL_ENDED = 3 };
struct wall_report {
	int32_t kind;
	int32_t value; /* started: stage << 16 | errno, or 0. ended: wait status */
};

/* Writes the filter of system calls into a pipe and returns its read end, or -1. */
int wall_filter(void);

/* Loads the same filter for the calling process and what it starts. */
bool wall_filter_load(void);

/* The version of Landlock that this kernel has; 0 without. */
int wall_landlock_version(void);

/* Restricts this process to writing below the named paths and on its own terminal, without abstract sockets and processes outside. */
void wall_landlock(const struct wall_options *);

/* The control groups of one sandbox. */
struct wall_groups {
	char folders[2][512];
	size_t count;
	bool memory, processes; /* enforced by them */
};
void wall_groups_make(struct wall_groups *, const struct wall_options *);
/* Moves the calling process, and so its later children, into the groups. */
void wall_groups_join(const struct wall_groups *);
void wall_groups_remove(const struct wall_groups *);

/* Enforces the limits that the groups do not: ends the largest process, or the whole sandbox. Returns the ms until the next check, or -1. */
int wall_watch(const struct wall_options *, const struct wall_groups *, pid_t bwrap, int terminal);
/* The same for a given list of processes. */
struct wall_seen {
	const pid_t *pids;
	size_t count;
	pid_t all;    /* killed when there are too many processes */
	int terminal; /* receives the message; -1: none */
};
int wall_hold(const struct wall_options *, const struct wall_groups *, const struct wall_seen *);

/* Limits of the calling process. */
void wall_limit_process(const struct wall_options *);

/* Inside a joined container: runs the program as the wall does. Returns after its end. */
int wall_inside_container(const struct wall_options *, char **program);
/* The first step of process 1 inside: closes outside descriptors, sets a name and forbids inspection. */
void wall_settle_inside(const char *name);
/* Makes this process a preferred victim when the machine runs out of memory. */
void wall_go_first(void);
void wall_let_go_of_terminal(void);
/* Sends and receives the reports to the wall outside. Receiving waits unless `flags` say otherwise. The kernel identifies the sender by its process
 * number here. */
void wall_report(enum wall_report_kind, int32_t value);
bool wall_report_take(int socket, struct wall_report *, pid_t *sender, int flags);

/* Listens inside and passes connections on in its own process; -1 on failure. */
pid_t wall_start_relay(const char *socket_path);
/* Listens inside the sandbox, before the program starts: the socket, or -1. */
int wall_relay_listen(void);
/* Passes each connection to the proxy's socket; does not return. */
void wall_relay(int listener, const char *socket_path);

#endif
