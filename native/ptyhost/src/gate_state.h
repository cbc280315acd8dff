/*
 * The state of a gate. It is in memory that the keeper shares with the supervisor: the next supervisor goes on with the questions and the
 * held calls of one that has ended.
 */
#ifndef PTYHOST_GATE_STATE_H
#define PTYHOST_GATE_STATE_H

#include "gate_calls.h"

#include <linux/limits.h>
#include <linux/seccomp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	QUESTIONS_MAX = 128, /* the one that was used longest ago gives its place to the next one */
	OPEN_MAX = 5,        /* questions that a person sees at a time; further calls join one that stands for all */
	NAMED_MAX = 2,       /* areas of one job and verb that its commands name; further ones are wider */
	PLACES_MAX = 16,     /* areas of one job and verb that are asked about one by one */
	HELD_MAX = 4096,     /* calls; further ones are refused */
	DONE_MAX = 64,       /* calls whose result did not reach their thread */
	RECORDS_BYTES = 1 << 16,
	KEPT_JOBS_MAX = 32,  /* jobs whose deleted files are kept; of the others it is forgotten that they are the same */
	COMMAND_BYTES = 256, /* of a command line, as a person is shown it */
	PROGRAM_BYTES = 16,
};

/* `noted`: the gate only keeps a journal. `expired`: no answer came in time. `withdrawn`: its job has ended. */
enum gate_answer { GATE_NOTED, GATE_OPEN, GATE_ALLOWED, GATE_DENIED, GATE_EXPIRED, GATE_WITHDRAWN };

struct gate_question {
	uint32_t id;
	pid_t pid, group;
	enum gate_verb verb;
	enum gate_answer answer, sent_answer;
	bool is_for_all;     /* of a terminal that asks too much: any job, any effect, any place */
	uint64_t count, sent;
	int64_t sent_at, used_at, deadline;
	char program[PROGRAM_BYTES], command[COMMAND_BYTES], area[PATH_MAX], path[PATH_MAX];
};

struct gate_held {
	struct seccomp_notif notice;
	uint32_t question;
};

/* A call that was performed while its thread was interrupted: the thread makes it again, and gets this result. */
struct gate_done {
	pid_t thread;
	struct seccomp_data call;
	int64_t value, at; /* at: when it was performed, in ms */
};

/* A job whose deleted and overwritten files are kept. */
struct gate_kept_job {
	uint32_t id, segment; /* 0: none; the last segment that names the job */
	pid_t group;
	int64_t start, used_at;
	uint64_t bytes, copied; /* kept in all, and by copying */
};

/* In place of the time when a watched look began: there is none, or it took too long, and its supervisor must not go on. */
enum { WATCH_OFF = 0, WATCH_OVER = -1 };

enum gate_blind { BLIND_UNREAD, BLIND_UNRESOLVED, BLIND_URING, BLIND_KINDS };

struct gate_state {
	bool asks;
	bool is_walled;              /* the programs are behind walls: calls that are free go on, to meet them */
	bool has_restricted;         /* a program here has put a Landlock around itself: calls that are free go on, to meet it */
	_Atomic int64_t watched_since; /* in ms, or a state of the above */
	atomic_bool has_timer;         /* the timer of the watch is set */
	bool has_answers;            /* since the held calls were looked at */
	int64_t deadline_ms;
	uint32_t last_id;
	size_t question_count, held_count, next_done;
	uint64_t blind[BLIND_KINDS], blind_sent[BLIND_KINDS];
	int64_t blind_sent_at[BLIND_KINDS];
	bool has_current;            /* a call that was received and not answered; it may be what a supervisor has died of */
	struct seccomp_notif current;
	struct gate_question questions[QUESTIONS_MAX];
	struct gate_held held[HELD_MAX];
	struct gate_done done[DONE_MAX];
	uint32_t kept_job_count, kept_file_count;
	uint32_t records_segment; /* whose records these are, which are not written yet */
	int64_t records_since;    /* when the first of them was added */
	size_t records_length;
	char records[RECORDS_BYTES];
	struct gate_kept_job kept_jobs[KEPT_JOBS_MAX];
};

/* NULL with errno. */
struct gate_state *gate_state_make(void);
/* The one of this process. */
extern struct gate_state *gate_state;

int64_t gate_now_ms(void);
/* The clock of memories that last a second. */
int64_t gate_now_s(void);

#endif
