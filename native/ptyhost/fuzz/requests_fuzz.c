/*
 * Arbitrary bytes on the socket, cut anywhere. They must be parsed into the same frames and handled as the same requests as
  * in one piece. Requests to sessions must be within their bounds, incomplete frames must be bounded, and every answer must be
  * a valid frame. The sessions are fakes that record their requests.
  *
  * The first byte of an input chooses whether a HELLO precedes it (bit 0), the second where the rest is cut.
 */
#include "fuzz.h"

#include "../src/answers.c"
#include "../src/connection.c"
#include "../src/connection_output.c"
#include "../src/dirty_sessions.c"
#include "../src/request_spawn.c"
#include "../src/requests.c"
#include "../src/shutdown.c"

#include <stdarg.h>

enum { SESSIONS_KEPT = 8 };

struct session *sessions;
size_t session_count;
struct watch_costs watch_costs;

/* All requests to the sessions, as text. */
static struct bytes asked;

static void note(const char *format, ...)
{
	char line[256];
	va_list values;
	va_start(values, format);
	int length = vsnprintf(line, sizeof line, format, values);
	va_end(values);
	MUST(length > 0 && (size_t)length < sizeof line && bytes_append(&asked, line, (size_t)length), "room for a note");
}

static uint64_t hash_of(const void *data, size_t length)
{
	uint64_t hash = 1469598103934665603ull;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ ((const uint8_t *)data)[i]) * 1099511628211ull;
	return hash;
}

static uint64_t hash_of_strings(char **strings)
{
	uint64_t hash = 0;
	for (; *strings; strings++)
		hash = hash * 31 + hash_of(*strings, strlen(*strings));
	return hash;
}

/* ---- fakes ---- */

bool loop_init(void) { return true; }
uint64_t loop_now(void) { return 0; }
bool loop_watch(struct source *source, uint32_t events)
{
	source->events = events;
	return true;
}
void timer_arm(struct timer *timer, uint64_t at) { timer->at = at; }
void timer_disarm(struct timer *timer) { timer->at = 0; }
void loop_free_later(void *memory) { (void)memory; }

struct session *session_find(uint32_t id)
{
	for (struct session *s = sessions; s; s = s->next)
		if (s->id == id)
			return s;
	return NULL;
}

static void remove_session(struct session *s)
{
	struct session **link = &sessions;
	while (*link != s)
		link = &(*link)->next;
	*link = s->next;
	session_count--;
	dirty_sessions_remove(s);
	free(s->meta);
	free(s);
}

void session_spawn(const struct session_start *start)
{
	MUST(start->id > 0 && start->cols > 0 && start->rows > 0, "a session has a number and a size");
	MUST(start->argv && start->argv[0] && start->envp && start->cwd, "a session has a program, an environment, a folder");
	MUST(start->ring_bytes >= RING_BYTES_MIN && start->ring_bytes <= RING_BYTES_MAX, "the ring is bounded");
	MUST(start->meta_length <= META_BYTES_MAX, "the notes are bounded");
	note("spawn %u %ux%u ring %u meta %zu %llx cwd %llx argv %llx env %llx\n", start->id, start->cols, start->rows,
	     start->ring_bytes, start->meta_length, (unsigned long long)hash_of(start->meta, start->meta_length),
	     (unsigned long long)hash_of(start->cwd, strlen(start->cwd)), (unsigned long long)hash_of_strings(start->argv),
	     (unsigned long long)hash_of_strings(start->envp));
	if (session_count == SESSIONS_KEPT)
		remove_session(sessions);
	struct session *s = calloc(1, sizeof *s);
	MUST(s, "memory for a session");
	s->id = start->id;
	s->leader = (pid_t)(1000 + start->id % 1000);
	s->cols = start->cols;
	s->rows = start->rows;
	s->next = sessions;
	sessions = s;
	session_count++;
	replace_meta(s, start->meta, start->meta_length);
}

void session_attach(struct session *s, uint64_t from) { note("attach %u %llu\n", s->id, (unsigned long long)from); }
void session_detach(struct session *s) { s->attached = false; }
void session_ack(struct session *s, uint64_t offset) { note("ack %u %llu\n", s->id, (unsigned long long)offset); }
void watch_set(struct session *s, bool on) { note("watch %u %d\n", s->id, on); }
int session_exit_code(const struct session *s) { return (int)s->id; }
int session_exit_signal(const struct session *s) { return (int)s->id; }
bool session_output_can_wait(const struct session *s) { return s && false; }
bool session_send_output(struct session *s, struct connection *c) { return s && c && false; }

bool session_resize(struct session *s, uint16_t cols, uint16_t rows)
{
	MUST(cols > 0 && rows > 0, "a size is not empty");
	note("resize %u %ux%u\n", s->id, cols, rows);
	size_t max = sizeof s->resizes / sizeof *s->resizes;
	if (s->resize_count < max)
		s->resizes[s->resize_count++] = (struct resize){.offset = s->resize_count, .cols = cols, .rows = rows};
	return s->id % 5 != 0;
}

bool session_signal(struct session *s, int signal_number)
{
	note("signal %u %d\n", s->id, signal_number);
	return s->id % 3 != 0;
}

void session_write(struct session *s, uint32_t request, const uint8_t *data, size_t length)
{
	MUST(length <= FRAME_BYTES_MAX, "input is no longer than a frame");
	note("write %u %u %zu %llx\n", s->id, request, length, (unsigned long long)hash_of(data, length));
}

void session_write_once(struct session *s, uint32_t request, const struct numbered_input *input)
{
	MUST(input->length <= FRAME_BYTES_MAX, "input is no longer than a frame");
	note("write once %u %u %llu %llu %zu %llx\n", s->id, request, (unsigned long long)input->writer,
	     (unsigned long long)input->number, input->length, (unsigned long long)hash_of(input->data, input->length));
}

void session_gate_send(struct session *s, const uint8_t *message, size_t length)
{
	note("gate %u %zu %llx\n", s->id, length, (unsigned long long)hash_of(message, length));
}
void session_drop_unread(struct session *s, uint32_t request) { note("drop input %u %u\n", s->id, request); }

/* Every other session ends immediately; the others are still being closed. */
void session_close(struct session *s, uint32_t request, uint16_t grace_ms, bool leave_daemons)
{
	note("close %u %u %u %d\n", s->id, request, grace_ms, leave_daemons);
	if (s->id % 2)
		remove_session(s);
	else
		s->closing = true;
}

/* ---- one connection ---- */

struct outcome {
	struct bytes asked, answers;
	size_t unfinished;
	bool cut_off;
};

static void clean_up(void)
{
	while (sessions)
		remove_session(sessions);
	connections = owner = NULL;
	shutting_down = shutdown_answered = false;
	shutdown_request = 0;
	asked = (struct bytes){0};
}

static void take(struct connection *c, const uint8_t *data, size_t length)
{
	MUST(bytes_append(&c->in, data, length), "memory for the input");
	handle_input(c);
	MUST(c->finished || bytes_length(&c->in) < FRAME_HEADER_BYTES + FRAME_BYTES_MAX, "an incomplete frame is bounded");
}

static size_t next_cut(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return 1 + (*state >> 24) % 37;
}

/* `cuts` 0: in one piece. */
static struct outcome receive(const uint8_t *data, size_t length, bool hello, uint32_t cuts)
{
	static const uint8_t greeting[] = {6, 0, 0, 0, 0, 0, 0, 0, REQUEST_HELLO, 0, 0, 0, 'A', 'P', 'T', 'Y', PROTOCOL_VERSION, 0};
	struct connection c = {.socket = {.fd = -1}};
	connections = &c;
	if (hello)
		take(&c, greeting, sizeof greeting);
	for (size_t at = 0; at < length && !c.finished;) {
		size_t piece = cuts ? next_cut(&cuts) : length;
		piece = piece < length - at ? piece : length - at;
		take(&c, data + at, piece);
		at += piece;
	}
	struct outcome outcome = {.asked = asked, .answers = c.out, .unfinished = bytes_length(&c.in), .cut_off = c.finished};
	bytes_free(&c.in);
	clean_up();
	return outcome;
}

/* Every answer is a whole frame of a known kind. */
static void check_answers(struct bytes *answers)
{
	if (bytes_length(answers) == 0)
		return;
	struct reader r = {.at = bytes_front(answers), .end = bytes_front(answers) + bytes_length(answers)};
	while (r.at < r.end) {
		uint32_t length = read_u32(&r);
		(void)read_u32(&r);
		uint32_t type = read_u32(&r);
		MUST(!r.bad && type >= ANSWER_HELLO && type <= ANSWER_STATS, "an answer is of a known kind");
		MUST(length <= FRAME_BYTES_MAX && length <= (size_t)(r.end - r.at), "an answer is whole");
		r.at += length;
	}
}

/* Finds the end of the last whole frame with a second, simpler parser. */
static size_t bytes_after_frames(const uint8_t *data, size_t length)
{
	size_t at = 0;
	while (length - at >= FRAME_HEADER_BYTES) {
		size_t payload = data[at] | data[at + 1] << 8 | data[at + 2] << 16 | (size_t)data[at + 3] << 24;
		size_t here = length - at - FRAME_HEADER_BYTES;
		bool is_too_long = payload > FRAME_BYTES_MAX;
		if (here < (is_too_long ? 4 : payload))
			break;
		/* An oversized frame is answered by its beginning and skipped, as far as it has arrived. */
		at += FRAME_HEADER_BYTES + (payload < here ? payload : here);
	}
	return length - at;
}

static bool is_same(struct bytes *a, struct bytes *b)
{
	size_t length = bytes_length(a);
	return length == bytes_length(b) && (length == 0 || memcmp(bytes_front(a), bytes_front(b), length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	if (length < 2)
		return 0;
	bool hello = data[0] & 1;
	struct outcome whole = receive(data + 2, length - 2, hello, 0);
	struct outcome cut = receive(data + 2, length - 2, hello, 1 + data[1]);
	MUST(is_same(&whole.asked, &cut.asked), "the same requests however they are cut");
	MUST(is_same(&whole.answers, &cut.answers), "the same answers however they are cut");
	MUST(whole.cut_off == cut.cut_off, "the same connection state however it is cut");
	if (!whole.cut_off) {
		MUST(whole.unfinished == bytes_after_frames(data + 2, length - 2), "every whole frame is taken, and no more");
		MUST(whole.unfinished == cut.unfinished, "the same rest however it is cut");
	}
	check_answers(&whole.answers);
	bytes_free(&whole.asked);
	bytes_free(&whole.answers);
	bytes_free(&cut.asked);
	bytes_free(&cut.answers);
	return 0;
}
