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

struct connection;

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
	unsigned restarts;     /* how often the series has begun anew without coming to its end */
	uint64_t sampled_at;
	struct timer timer;
	struct facts_cache cache;
	uint64_t kept_since;   /* nobody watches, and the cache is kept for the next who does; 0 otherwise */
	struct facts last;
	bool reported;         /* the owner has had facts since the watch began and since the last write */
	/* Proof that the program took the input: compared with how things stood just before the write. */
	bool consumed, accessed, output_since_write; /* accessed: somebody has read from the terminal */
	bool reads_watched;    /* reads of the terminal were being reported when the last input was written */
	bool in_parts;         /* more was written than the terminal holds: a part may be on its way while another is read */
	bool ended_line;       /* the last input's last byte: what a terminal that edits lines gives away whole */
	uint64_t rests_since;  /* that thread, since it was first seen so, with as many time slices */
	bool signal_echoed;    /* the terminal has repeated the key that the last input was */
	int signal;            /* that the terminal made of the last input, so that nothing of it is to be read; else 0 */
	bool typed_inside;     /* the last input went to a program that waited on a terminal inside */
	bool echoed;           /* as far as the terminal's modes show; a password is not */
	pid_t thread_before, foreground_before;
	uint64_t slices_before;
	pid_t worker_before;   /* who hid what it does */
	uint64_t output_at;    /* when the program last wrote, while somebody watched */
	uint64_t told_end;     /* where the output ended when the owner last had facts */
};

/* Somebody who numbers what they send, and the last number that was taken. */
struct writer {
	uint64_t id, number;
};

struct numbered_input {
	uint64_t writer, number;
	const uint8_t *data;
	size_t length;
};

struct session {
	struct session *next, *dirty_next;
	uint32_t id;
	struct source master, control; /* control: our end of the keeper's socket pair */
	int slave;                     /* kept open while the program lives: facts need it, and EOF then means EOF */
	dev_t device;
	pid_t keeper, leader;
	uint32_t spawn_request;

	struct ring ring;
	struct moments moments;
	bool attached, dirty;
	bool expected; /* whoever started it is there and will attach: nothing may be lost until then */
	uint64_t sent, acked;
	bool floods;          /* its last turn ended before all was read */

	struct bytes input;
	uint64_t input_queued, input_written;
	struct pending_write writes[64];
	size_t write_count;
	struct timer input_retry;
	struct writer writers[16]; /* who has sent numbered input, the last one first */
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

extern struct session *sessions;
extern size_t session_count;

struct session *session_find(uint32_t id);
void session_answer_spawned(const struct session *, int error, enum spawn_stage);
bool session_signal(struct session *, int signal_number);
int session_exit_code(const struct session *);
int session_exit_signal(const struct session *);

/* session_ending.c */
void session_free(struct session *);
/* From here on the keeper has its deadlines. */
void session_ending_init(struct session *);
/* Not twice: the caller checks `closing` first. The answer comes later, as CLOSED. */
void session_close(struct session *, uint32_t request, uint16_t grace_ms, bool leave_daemons);
void session_start_failed(struct session *, int error);
/* Its control socket has closed, or it has been reaped: after both, ptyhost takes over what it left. */
void session_keeper_ended(struct session *);
/* Some child of ptyhost ended: a keeper, or a program whose keeper was killed. */
void session_child_ended(pid_t, int status);
/* Some child of ptyhost was stopped: a keeper has to go on. */
void session_child_stopped(pid_t);

/* session_output.c */
void session_output_ready(struct source *, uint32_t events);
/* Reads what there is now; false when the session's reader is behind and nothing may be read. */
bool session_take_output(struct session *);
void session_attach(struct session *, uint64_t from);
void session_detach(struct session *);
void session_ack(struct session *, uint64_t offset);
/* More is about to follow, and then it can be sent in one piece. */
bool session_output_can_wait(const struct session *);
/* Puts the next piece of output, or the due exit, into the owner's buffer; true while there is more. */
bool session_send_output(struct session *, struct connection *);
void session_mark_dirty(struct session *);
/* Something happens to the terminal now, behind the byte before `offset`. `always`: however close it is to the last moment. */
void session_note_moment(struct session *, uint64_t offset, bool always);
bool session_resize(struct session *, uint16_t cols, uint16_t rows);
/* The program has gone: what is still in the terminal is read, then the exit is reported. */
void session_leader_ended(struct session *, int status);

/* session_input.c */
void session_write(struct session *, uint32_t request, const uint8_t *data, size_t length);
/* As session_write, and not twice. */
void session_write_once(struct session *, uint32_t request, const struct numbered_input *);
/* Drops what the program has not read; the answer says how many bytes. */
void session_drop_unread(struct session *, uint32_t request);
void session_flush_input(struct session *);
/* Answers every pending write with DROPPED and returns how many bytes went with them. */
uint64_t session_drop_input(struct session *);
void session_input_init(struct session *);

/* session_watch.c, and session_proof.c for what became of the input */
/* What all samples of programs have cost so far. */
struct watch_costs {
	uint64_t samples, cpu_ns;
};
extern struct watch_costs watch_costs;

void watch_init(struct session *);
void watch_set(struct session *, bool on);
/* Something happened that may change who waits: sample again soon. */
void watch_resample(struct session *);
void watch_resample_after_output(struct session *);
void watch_before_write(struct session *, int signal_number);
void watch_after_write(struct session *);
void watch_output(struct session *, const uint8_t *data, size_t length);
void watch_free(struct session *);

#endif
