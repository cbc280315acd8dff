/*
 * The keeper: one tiny process above each session's program.
 *
 * It is the session's subreaper: every process that the session starts, in whatever group or session, stays below the keeper
  * and is counted and ended with it. An adopted process belongs to the keeper that adopted it. The keeper reaps processes,
  * reports the program's end, and ends the whole tree on request or when ptyhost has ended. It exits when the program has
  * ended and no process is left below it.
 */
#ifndef PTYHOST_KEEPER_H
#define PTYHOST_KEEPER_H

#include "gate.h"

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
	const struct gate_ends *gate; /* NULL without a gate */
	const char *cwd;
	char **argv, **envp;   /* NULL-terminated */
	uint64_t nofile_soft;  /* the program's limit; ptyhost raised its own */
};

/* Starts a keeper for one program: its pid, or -1 with errno. */
pid_t keeper_spawn(const struct keeper_start *);

/* The entry point of `ptyhost --keeper`, and of `ptyhost --gated-keeper` with the descriptors of a gate. */
int keeper_main(int argc, char **argv);
/* With the program's terminal and the socket to ptyhost after the standard ones. */
enum { KEEPER_DESCRIPTORS = 5, GATED_KEEPER_DESCRIPTORS = GATE_DESCRIPTORS };
#define KEEPER_WORD "--keeper"
#define GATED_KEEPER_WORD "--gated-keeper"

#endif
