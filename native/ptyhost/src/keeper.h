/*
 * The keeper: one tiny process above each session's program.
 *
 * It is the session's subreaper, so whatever the session starts, in whatever group or session it hides, stays below
 * the keeper and is counted and ended with it; an adopted process belongs to the keeper that adopted it. It reaps,
 * it reports the program's end, and it ends the whole tree on request or when ptyhost itself is gone.
 * It leaves when the program has ended and nothing is left below it.
 */
#ifndef PTYHOST_KEEPER_H
#define PTYHOST_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

/* Fixed-size records on the socket pair between ptyhost and a keeper. */
struct keeper_record {
	uint32_t kind;
	int32_t a, b;
};

enum keeper_record_kind {
	KEEPER_STARTED = 1, /* a: pid of the program, or 0 when it could not start; b: stage << 16 | errno */
	KEEPER_EXITED = 2,  /* a: wait status */
	KEEPER_EMPTY = 3,   /* a: processes that could not be ended, or were left alone on request */
	KEEPER_END = 16,    /* to the keeper. a: grace in ms before TERM and again before KILL; b: leave daemons alone */
};

struct keeper_start {
	int slave, control;    /* control: the keeper's end of the pair */
	const char *cwd;
	char **argv, **envp;   /* NULL-terminated */
	uint64_t nofile_soft;  /* the limit the program shall see; ptyhost raised its own */
};

/* Starts a keeper for one program: its pid, or -1 with errno. */
pid_t keeper_spawn(const struct keeper_start *);

/* What `ptyhost --keeper` runs. */
int keeper_main(int argc, char **argv);
/* With the program's terminal and the socket to ptyhost after the standard ones. */
enum { KEEPER_DESCRIPTORS = 5 };

#endif
