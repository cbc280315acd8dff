#include "requests.h"

#include "answers.h"
#include "limits.h"
#include "request_spawn.h"
#include "session_ending.h"
#include "session_gate.h"
#include "session_input.h"
#include "session_output.h"
#include "session_sample.h"
#include "session_watch.h"
#include "shutdown.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SESSION_ANSWER_BYTES = 72 + 64 * 12 + 16 * MOMENTS_MAX };

_Static_assert((SESSION_ANSWER_BYTES + META_BYTES_MAX) * (uint64_t)SESSIONS_MAX < CONTROL_BYTES_MAX,
               "a list of all sessions fits the queue of answers");

static void answer_stats(uint32_t request)
{
	uint8_t payload[BYTES_STATS], *at = payload;
	write_u32(&at, request);
	write_u64(&at, watch_costs.samples);
	write_u64(&at, watch_costs.cpu_ns);
	owner_answer(ANSWER_STATS, 0, payload, sizeof payload);
}

static void answer_unless(bool done, uint32_t session, uint32_t request, const char *problem)
{
	if (done)
		owner_done(session, request);
	else
		owner_error(session, request, errno ? errno : EIO, problem);
}

/* ---- list ---- */

static void answer_session(const struct session *s, uint32_t request)
{
	static uint8_t first[SESSION_ANSWER_BYTES + META_BYTES_MAX];
	uint8_t *at = first;
	write_u32(&at, request);
	write_u32(&at, (uint32_t)s->leader);
	write_u64(&at, s->ring.start);
	write_u64(&at, s->ring.end);
	write_u8(&at, s->leader_gone);
	write_u32(&at, (uint32_t)session_exit_code(s));
	write_u32(&at, (uint32_t)session_exit_signal(s));
	write_u16(&at, s->cols);
	write_u16(&at, s->rows);
	write_u32(&at, (uint32_t)s->resize_count);
	for (size_t i = 0; i < s->resize_count; i++) {
		write_u64(&at, s->resizes[i].offset);
		write_u16(&at, s->resizes[i].cols);
		write_u16(&at, s->resizes[i].rows);
	}
	write_u32(&at, (uint32_t)s->meta_length);
	write_raw(&at, s->meta, s->meta_length);
	write_u32(&at, (uint32_t)s->moments.count);
	for (size_t i = 0; i < s->moments.count; i++) {
		write_u64(&at, s->moments.list[i].offset);
		write_u64(&at, s->moments.list[i].at);
	}
	write_u64(&at, s->exited_at);
	owner_answer(ANSWER_SESSION, s->id, first, (size_t)(at - first));
}

static void list(uint32_t request)
{
	for (struct session *s = sessions; s; s = s->next)
		if (!s->closing && s->leader > 0)
			answer_session(s, request);
	uint8_t payload[BYTES_LISTED], *at = payload;
	write_u32(&at, request);
	owner_answer(ANSWER_LISTED, 0, payload, sizeof payload);
}

/* ---- about one session ---- */

static void replace_meta(struct session *s, const uint8_t *data, size_t length)
{
	uint8_t *meta = length <= META_BYTES_MAX ? malloc(length + 1) : NULL;
	if (!meta) {
		/* The notes stay unchanged. */
		owner_error(s->id, 0, length <= META_BYTES_MAX ? ENOMEM : EMSGSIZE, "the notes are too long");
		return;
	}
	memcpy(meta, data, length);
	free(s->meta);
	s->meta = meta;
	s->meta_length = length;
}

static void resize(struct session *s, struct reader *r)
{
	uint32_t request = read_u32(r);
	uint16_t cols = read_u16(r), rows = read_u16(r);
	uint64_t offset = s->ring.end;
	if (r->bad)
		return;
	if (cols == 0 || rows == 0) {
		owner_error(s->id, request, EINVAL, "a terminal has at least one column and one row");
		return;
	}
	errno = EIO;
	if (!session_resize(s, cols, rows)) {
		owner_error(s->id, request, errno, "the program has ended");
		return;
	}
	uint8_t payload[BYTES_RESIZED], *at = payload;
	write_u32(&at, request);
	write_u64(&at, offset);
	write_u16(&at, cols);
	write_u16(&at, rows);
	owner_answer(ANSWER_RESIZED, s->id, payload, sizeof payload);
}

static void signal_program(struct session *s, struct reader *r)
{
	uint32_t request = read_u32(r);
	int signal_number = (int)read_u32(r);
	errno = ESRCH;
	if (!r->bad)
		answer_unless(session_signal(s, signal_number), s->id, request, "no foreground program to signal");
}

static void close_session(struct session *s, struct reader *r)
{
	uint32_t request = read_u32(r);
	uint16_t grace_ms = read_u16(r);
	bool leave_daemons = read_u8(r);
	if (!r->bad)
		session_close(s, request, grace_ms, leave_daemons);
}

static void write_once(struct session *s, struct reader *r)
{
	uint32_t request = read_u32(r);
	struct numbered_input input = {.writer = read_u64(r), .number = read_u64(r)};
	if (r->bad)
		return;
	input.data = r->at;
	input.length = (size_t)(r->end - r->at);
	session_write_once(s, request, &input);
}

/* A truncated request has no effect. */
static void handle_session(uint8_t type, struct session *s, struct reader *r)
{
	uint32_t request;
	uint64_t offset;
	switch (type) {
	case REQUEST_ATTACH:
		offset = read_u64(r);
		if (!r->bad)
			session_attach(s, offset);
		break;
	case REQUEST_ACK:
		offset = read_u64(r);
		if (!r->bad)
			session_ack(s, offset);
		break;
	case REQUEST_WRITE:
		request = read_u32(r);
		if (!r->bad)
			session_write(s, request, r->at, (size_t)(r->end - r->at));
		break;
	case REQUEST_WRITE_ONCE:
		write_once(s, r);
		break;
	case REQUEST_DROP_INPUT:
		request = read_u32(r);
		if (!r->bad)
			session_drop_unread(s, request);
		break;
	case REQUEST_RESIZE:
		resize(s, r);
		break;
	case REQUEST_SIGNAL:
		signal_program(s, r);
		break;
	case REQUEST_CLOSE:
		close_session(s, r);
		break;
	case REQUEST_GATE:
		session_gate_send(s, r->at, (size_t)(r->end - r->at));
		break;
	case REQUEST_WATCH:
		request = read_u8(r);
		if (!r->bad)
			watch_set(s, request);
		break;
	default:
		replace_meta(s, r->at, (size_t)(r->end - r->at));
	}
}

/* ---- requests that arrive ---- */

/* Its payload starts with the request number. */
static bool is_numbered(uint8_t type)
{
	return type == REQUEST_SPAWN || type == REQUEST_LIST || type == REQUEST_STATS || type == REQUEST_SHUTDOWN ||
	       type == REQUEST_WRITE || type == REQUEST_RESIZE || type == REQUEST_SIGNAL || type == REQUEST_CLOSE ||
	       type == REQUEST_DROP_INPUT || type == REQUEST_WRITE_ONCE;
}

static uint32_t request_number(uint8_t type, const uint8_t *payload, size_t length)
{
	struct reader r = {.at = payload, .end = payload + length};
	return is_numbered(type) ? read_u32(&r) : 0;
}

static bool is_about_session(uint8_t type)
{
	return (type >= REQUEST_ATTACH && type <= REQUEST_META) || type == REQUEST_DROP_INPUT || type == REQUEST_WRITE_ONCE ||
	       type == REQUEST_GATE;
}

static void handle_host(uint8_t type, uint32_t session, struct reader *r)
{
	if (type == REQUEST_SPAWN) {
		request_spawn(session, r);
		r->bad = false; /* answered */
		return;
	}
	uint32_t request = read_u32(r);
	if (r->bad)
		return;
	if (type == REQUEST_LIST)
		list(request);
	else if (type == REQUEST_STATS)
		answer_stats(request);
	else
		shutdown_begin(request);
}

void request_handle(uint8_t type, uint32_t session, const uint8_t *payload, size_t length)
{
	struct reader r = {.at = payload, .end = payload + length};
	uint32_t request = request_number(type, payload, length);
	struct session *s = session_find(session);
	if (is_about_session(type) && s && !s->closing)
		handle_session(type, s, &r);
	else if (is_about_session(type) && is_numbered(type))
		owner_error(session, request, ESRCH, "no such session"); /* it has just ended: the two messages crossed */
	else if (is_numbered(type))
		handle_host(type, session, &r);
	else if (!is_about_session(type))
		owner_error(session, 0, ENOSYS, "there is no such request");
	if (r.bad)
		owner_error(session, request, EBADMSG, request_problem(EBADMSG));
}

void request_refuse(int problem, uint8_t type, uint32_t session, const uint8_t *beginning, size_t length)
{
	const char *why = problem == EMSGSIZE ? "the request is longer than a frame may be" : request_problem(problem);
	owner_error(session, request_number(type, beginning, length), problem, why);
}
