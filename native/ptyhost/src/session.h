/*
 * One session: a program on a PTY, with its output ring, its input queue and its keeper.
 *
 * What it guarantees: no byte the program wrote before it ended is missing from the ring when the exit is reported;
 * input reaches the terminal whole and in order; a program whose reader is slow waits instead of losing output.
 * The session stays, with its ring, after the program's end until it is closed.
 */
#ifndef PTYHOST_SESSION_H
#define PTYHOST_SESSION_H

#include "bytes.h"
#include "facts.h"
#include "loop.h"
#include "moments.h"
#include "protocol.h"
#include "ring.h"

#include <stddef.h>

/* A WRITE whose last byte is at `end` of all input ever queued. */
struct pending_write {
	uint32_t request;
	uint64_t end;
};

struct resize {
	uint64_t offset; /* output before it was written for the size before */
	uint16_t cols, rows;
};

struct watch {
	bool on;
	int reads;             /* the number under which reads of the terminal are reported, -1 without */
	unsigned busy_steps, rest_steps; /* between samples since the series began, while it worked and while it waited */
	unsigned parallel_samples; /* samples that found it waiting while other threads of it worked */
	unsigned prompt_samples; /* samples that found it at work behind an unfinished line */
	bool in_line;          /* its output ends within a line, as a prompt does */
	unsigned restarts;     /* the number of restarts of the series before its end */
	uint64_t sampled_at;
	struct timer timer;
	struct facts_cache cache;
	uint64_t kept_since;   /* no client watches, and the cache is retained for the next watch; 0 otherwise */
	struct facts last;
	bool reported;         /* the owner has received facts since the watch began and since the last write */
	/* Proof that the program took the input, by comparison with the state just before the write. */
	bool consumed, accessed, output_since_write; /* accessed: a process has read from the terminal */
	bool reads_watched;    /* reads of the terminal were being reported when the last input was written */
	bool in_parts;         /* a part of the input may be on its way while another is read: it is long, or a multiplexer has the part before */
	bool ended_line;       /* the last input's last byte: what a terminal that edits lines gives away whole */
	uint64_t rests_since;  /* that thread, since it was first seen so, with as many time slices */
	bool signal_echoed;    /* the terminal has echoed the last input's key */
	int signal;            /* that the terminal made of the last input, so that nothing of it is to be read; else 0 */
	bool typed_inside;     /* the last input went to a program that waited on a terminal inside */
	bool echoed;           /* as far as the terminal's modes show; a password is not */
	pid_t thread_before, foreground_before;
	uint64_t slices_before;
	pid_t worker_before;   /* the process that hid its calls */
	uint64_t output_at;    /* the time of the last output during a watch */
	uint64_t reported_end;     /* the end of the output at the last report to the owner */
};

/* A client that numbers its input, and the last number that was taken. */
struct writer {
	uint64_t id, number;
};

struct session {
	struct session *next, *dirty_next;
	uint32_t id;
	struct source master, control; /* control: our end of the keeper's socket pair */
	struct source gate;            /* messages of the gate's supervisor; -1 without a gate */
	int slave;                     /* kept open while the program lives: facts need it, and EOF then means EOF */
	dev_t device;
	pid_t keeper, leader;
	uint32_t spawn_request;

	struct ring ring;
	struct moments moments;
	bool attached, dirty;
	bool expected; /* its starter is connected and will attach: no output may be lost until then */
	uint64_t sent, acked;
	bool floods;          /* its last turn ended before all was read */

	struct bytes input;
	uint64_t input_queued, input_written;
	struct pending_write writes[64];
	size_t write_count;
	struct timer input_retry;
	struct writer writers[16]; /* clients that sent numbered input, most recent first */
	size_t writer_count;

	bool leader_gone, keeper_done, keeper_gone, keeper_reaped, terminal_closed, exit_due, exit_sent;
	int status;
	uint64_t exited_at; /* ms since 1970 */
	struct timer exit_quiet;

	bool closing, leave_daemons, killing;
	uint32_t close_request, survivors;
	struct timer ending;           /* when the keeper must have answered, or the next round of killing is due */
	uint64_t kill_until;
	unsigned kill_rounds;

	uint16_t cols, rows;
	struct resize resizes[64];
	size_t resize_count;
	uint8_t *meta;
	size_t meta_length;
	struct watch watch;
};

/* All sessions; `next` links them. */
extern struct session *sessions;
extern size_t session_count;

struct session *session_find(uint32_t id);
void session_answer_spawned(const struct session *, int error, enum spawn_stage);
bool session_signal(struct session *, int signal_number);
int session_exit_code(const struct session *);
int session_exit_signal(const struct session *);

#endif
