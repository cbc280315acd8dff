/*
 * The gate: sees what the programs of a terminal do to files, at the system calls that do it.
 *
 * A filter in the program and in everything that it starts hands these calls to the supervisor, a process beside the program and below the keeper.
 * The supervisor resolves what a call is about, decides by its table, and reports what a person would be asked about. It writes one question for a
 * job (a process group), a verb and an area, and counts further calls of the same question.
 *
 * The keeper holds a second copy of the listener, so that a supervisor that has died leaves calls waiting, and starts the next one.
 *
 * The table is text, one row a line: a word of gate_table.h, a blank, and an absolute path; gate_keep.h and gate_reach.h have further words. A gate
 * that asks has `asks MS` in its first line: the time after which a call without an answer fails.
 *
 * Messages on the channel are fields with a NUL after each. To the owner:
 *   state  WORD REASON      `journal`, `ask`, or `none` and why the gate does not work here
 *   asks   ID COUNT VERB PROGRAM PID GROUP COMMAND AREA PATH ANSWER MS    sent when the question comes, when it is answered, and again when its
 *          count has grown. VERB is `anything` for a question that stands for all of a terminal that asks too much. AREA and PATH of what is about a process: gate_reach.h. ANSWER is `noted` by a gate
 *          that keeps a journal, `open`, `allowed`, `denied`, `expired` or `withdrawn`; MS is the time left for it.
 *   blind  COUNT WORD       calls that the gate could not judge: `unread` memory, `unresolved` paths, `uring`
 * From the owner:
 *   answer ID WORD          `allow` or `deny`
 *   list                    sends all questions again, for an owner that has just come
 */
#ifndef PTYHOST_GATE_H
#define PTYHOST_GATE_H

#include <stdbool.h>
#include <sys/select.h>
#include <sys/types.h>

enum {
	GATE_CHANNEL_FD = 5, /* messages, in the keeper and in its supervisor */
	GATE_TABLE_FD = 6,   /* the table, as a file */
	GATE_DESCRIPTORS = 7,
};

/* The two ends of a terminal's gate, as ptyhost makes them for the keeper: -1 where there is none. */
struct gate_ends {
	int channel, keeper_channel, table;
};

/* Makes the ends for a gate with this table. False with errno where the system has no gate or the table is too long. */
bool gate_make(const char *table, struct gate_ends *);
void gate_ends_close(struct gate_ends *);

/* For the program, before it starts: installs the filter and passes the listener to the keeper. False with errno; the program may then run without. */
bool gate_enter(int to_keeper);

/* In the keeper. `requests`: the supervisor asks here for memory that only an ancestor of the program may read. `watch`: gate_watch.h. */
struct gate_keeping {
	int listener, requests, watch;
	pid_t supervisor;
	unsigned starts, left_behind; /* supervisors that have died, and that a file system holds */
};
/* Takes what `gate_enter` has sent, and starts the supervisor; `is_walled`: the program is behind walls. Without a listener it reports on the channel why there is no gate. */
void gate_begin(struct gate_keeping *, int from_program, bool is_walled);
/* Starts the next supervisor after the end of one. */
void gate_restart(struct gate_keeping *);
/* Adds the descriptors that the gate waits for. Returns the highest of them, or -1. */
int gate_wait_for(const struct gate_keeping *, fd_set *);
/* Does what these descriptors are readable for. */
void gate_serve_supervisor(struct gate_keeping *, const fd_set *);

/* Tries the gate in a process of its own. Prints `works` or the reason why not. */
int gate_check_main(int argc, char **argv);

#endif
