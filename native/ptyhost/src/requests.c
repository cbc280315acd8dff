#include "requests.h"

#include "connection.h"
#include "limits.h"
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHUTDOWN_GRACE_MS = 200 };

static bool shutting_down, shutdown_answered;
static uint32_t shutdown_request;

static void answer_done(uint32_t session, uint32_t request)
{
	uint8_t payload[4], *at = payload;
	write_u32(&at, request);
	owner_answer(ANSWER_DONE, session, payload, sizeof payload);
}

static void answer_stats(uint32_t request)
{
	uint8_t payload[20], *at = payload;
	write_u32(&at, request);
	write_u64(&at, watch_costs.looks);
	write_u64(&at, watch_costs.cpu_ns);
	owner_answer(ANSWER_STATS, 0, payload, sizeof payload);
}

static void answer_unless(bool done, uint32_t session, uint32_t request, const char *problem)
{
	if (done)
		answer_done(session, request);
	else
		owner_error(session, request, errno ? errno : EIO, problem);
}

/* ---- spawn ---- */

static char **read_strings(struct reader *r)
{
	uint32_t count = read_u32(r);
	if (r->bad || count > ARGUMENTS_MAX)
		return NULL;
	char **strings = calloc(count + 1, sizeof *strings);
	for (uint32_t i = 0; strings && i < count; i++)
		strings[i] = read_string(r);
	return strings;
}

static void free_strings(char **strings)
{
	for (size_t i = 0; strings && strings[i]; i++)
		free(strings[i]);
	free(strings);
}

static const char *refusal(const struct session_start *start)
{
	errno = EAGAIN;
	if (shutting_down)
		return "ptyhost is shutting down";
	if (session_count >= SESSIONS_MAX)
		return "too many sessions";
	errno = EEXIST;
	return session_find(start->id) ? "the session id is taken" : NULL;
}

static bool spawn(uint32_t id, struct reader *r)
{
	struct session_start start = {.id = id, .request = read_u32(r)};
	start.cols = read_u16(r);
	start.rows = read_u16(r);
	start.ring_bytes = read_u32(r);
	start.meta = read_blob(r, &start.meta_length);
	start.cwd = read_string(r);
	start.argv = read_strings(r);
	start.envp = read_strings(r);
	bool sound = !r->bad && start.argv && start.argv[0] && start.envp && start.meta_length <= META_BYTES_MAX &&
	             start.cols > 0 && start.rows > 0 && id > 0;
	if (start.ring_bytes < RING_BYTES_MIN)
		start.ring_bytes = RING_BYTES_MIN;
	if (start.ring_bytes > RING_BYTES_MAX)
		start.ring_bytes = RING_BYTES_MAX;
	if (sound) {
		const char *problem = refusal(&start);
		if (problem)
			owner_error(id, start.request, errno, problem);
		else
			session_spawn(&start);
	}
	free(start.cwd);
	free_strings(start.argv);
	free_strings(start.envp);
	return sound;
}

/* ---- list ---- */

static void answer_session(const struct session *s, uint32_t request)
{
	struct bytes payload = {0};
	uint8_t *first = bytes_reserve(&payload, 64 + s->resize_count * 12 + s->meta_length), *at = first;
	if (!first)
		return;
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
	owner_answer(ANSWER_SESSION, s->id, first, (size_t)(at - first));
	bytes_free(&payload);
}

static void list(uint32_t request)
{
	for (struct session *s = sessions; s; s = s->next)
		if (!s->closing && s->leader > 0)
			answer_session(s, request);
	uint8_t payload[4], *at = payload;
	write_u32(&at, request);
	owner_answer(ANSWER_LISTED, 0, payload, sizeof payload);
}

/* ---- about one session ---- */

static bool replace_meta(struct session *s, const uint8_t *data, size_t length)
{
	if (length > META_BYTES_MAX)
		return false;
	uint8_t *meta = malloc(length + 1);
	if (!meta)
		return true; /* the notes stay as they were */
	memcpy(meta, data, length);
	free(s->meta);
	s->meta = meta;
	s->meta_length = length;
	return true;
}

static void resize(struct session *s, struct reader *r)
{
	uint32_t request = read_u32(r);
	uint16_t cols = read_u16(r), rows = read_u16(r);
	uint64_t offset = s->ring.end;
	errno = EINVAL;
	if (cols == 0 || rows == 0 || !session_resize(s, cols, rows)) {
		owner_error(s->id, request, errno, "cannot resize the terminal");
		return;
	}
	uint8_t payload[16], *at = payload;
	write_u32(&at, request);
	write_u64(&at, offset);
	write_u16(&at, cols);
	write_u16(&at, rows);
	owner_answer(ANSWER_RESIZED, s->id, payload, sizeof payload);
}

static bool handle_session(uint8_t type, struct session *s, struct reader *r)
{
	uint32_t request;
	uint16_t grace_ms;
	switch (type) {
	case REQUEST_ATTACH:
		session_attach(s, read_u64(r));
		break;
	case REQUEST_ACK:
		session_ack(s, read_u64(r));
		break;
	case REQUEST_WRITE:
		request = read_u32(r);
		if (!r->bad)
			session_write(s, request, r->at, (size_t)(r->end - r->at));
		break;
	case REQUEST_RESIZE:
		resize(s, r);
		break;
	case REQUEST_SIGNAL:
		request = read_u32(r);
		errno = ESRCH;
		answer_unless(session_signal(s, (int)read_u32(r)), s->id, request, "no foreground program to signal");
		break;
	case REQUEST_CLOSE:
		request = read_u32(r);
		grace_ms = read_u16(r);
		session_close(s, request, grace_ms, read_u8(r));
		break;
	case REQUEST_WATCH:
		watch_set(s, read_u8(r));
		break;
	case REQUEST_META:
		return replace_meta(s, r->at, (size_t)(r->end - r->at));
	default:
		return false;
	}
	return !r->bad;
}

/* A request about a session that has just gone is answered, not punished: the two messages crossed. */
static bool handle_missing(uint8_t type, uint32_t session, struct reader *r)
{
	bool has_request = type == REQUEST_WRITE || type == REQUEST_RESIZE || type == REQUEST_SIGNAL || type == REQUEST_CLOSE;
	if (has_request)
		owner_error(session, read_u32(r), ESRCH, "no such session");
	return !r->bad && type >= REQUEST_ATTACH && type <= REQUEST_META;
}

bool request_handle(uint8_t type, uint32_t session, const uint8_t *payload, size_t length)
{
	struct reader r = {.at = payload, .end = payload + length};
	if (type == REQUEST_SPAWN)
		return spawn(session, &r);
	if (type == REQUEST_LIST) {
		uint32_t request = read_u32(&r);
		if (!r.bad)
			list(request);
		return !r.bad;
	}
	if (type == REQUEST_STATS) {
		answer_stats(read_u32(&r));
		return !r.bad;
	}
	if (type == REQUEST_SHUTDOWN) {
		shutdown_begin(read_u32(&r));
		return !r.bad;
	}
	struct session *s = session_find(session);
	if (s && !s->closing)
		return handle_session(type, s, &r);
	return handle_missing(type, session, &r);
}

/* ---- shutdown ---- */

void shutdown_begin(uint32_t request)
{
	shutting_down = true;
	shutdown_request = request;
	for (struct session *s = sessions, *next; s; s = next) {
		next = s->next;
		if (!s->closing)
			session_close(s, 0, SHUTDOWN_GRACE_MS, false);
	}
}

bool shutdown_finished(void)
{
	if (!shutting_down || session_count > 0)
		return false;
	if (!shutdown_answered)
		answer_done(0, shutdown_request);
	shutdown_answered = true;
	return true;
}
