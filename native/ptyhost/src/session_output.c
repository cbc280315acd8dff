/* From the PTY into the ring, and from the ring to the owner. */
#include "session_output.h"

#include "answers.h"
#include "dirty_sessions.h"
#include "limits.h"
#include "protocol.h"
#include "session_gate.h"
#include "session_input.h"
#include "session_proof.h"
#include "session_reading.h"
#include "session_steps.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

void session_mark_dirty(struct session *s)
{
	if (s->attached)
		dirty_sessions_add(s);
}

static uint64_t wall_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / MS;
}

void session_note_moment(struct session *s, uint64_t offset, bool always)
{
	moments_add(&s->moments, (struct moment){offset, wall_ms()}, s->ring.start, always);
}

bool session_resize(struct session *s, uint16_t cols, uint16_t rows)
{
	struct winsize size = {.ws_col = cols, .ws_row = rows};
	if (s->master.fd < 0 || ioctl(s->master.fd, TIOCSWINSZ, &size) < 0)
		return false;
	size_t max = sizeof s->resizes / sizeof *s->resizes;
	if (s->resize_count == max)
		memmove(s->resizes, s->resizes + 1, --s->resize_count * sizeof *s->resizes);
	session_note_moment(s, s->ring.end, true);
	s->resizes[s->resize_count++] = (struct resize){.offset = s->ring.end, .cols = cols, .rows = rows};
	watch_resample(s);
	return true;
}

/* No process has the terminal open, now or later: all output has been read. */
static void terminal_closed(struct session *s)
{
	s->terminal_closed = true;
	session_update_reading(s);
	session_drop_input(s);
	close(s->master.fd);
	s->master.fd = -1;
	timer_disarm(&s->exit_quiet);
	s->exit_due = true;
	session_mark_dirty(s);
}

static void read_terminal(struct session *s)
{
	static uint8_t buffer[READ_BYTES];
	size_t taken = 0;
	bool all = false;
	uint64_t begin = s->ring.end, until = loop_now() + READ_NS;
	for (size_t most; (most = session_read_limit(s)) > 0 && taken < sizeof buffer && (taken == 0 || loop_now() < until);) {
		size_t rest = sizeof buffer - taken;
		ssize_t length = read(s->master.fd, buffer + taken, most < rest ? most : rest);
		if (length > 0) {
			ring_append(&s->ring, buffer + taken, (size_t)length);
			taken += (size_t)length;
			continue;
		}
		if (length < 0 && errno == EINTR)
			continue;
		all = true;
		if (length < 0 && errno == EAGAIN) {
			/* The leader's own output is complete. Others may still write: the exit waits until they are quiet. */
			if (s->leader_gone && !s->exit_due && (taken > 0 || !s->exit_quiet.link))
				timer_arm(&s->exit_quiet, loop_now() + EXIT_QUIET_NS);
			break;
		}
		if (s->leader_gone)
			terminal_closed(s);
		break;
	}
	s->floods = !all;
	if (taken > 0) {
		session_note_moment(s, begin, false);
		if (s->exit_quiet.link)
			timer_arm(&s->exit_quiet, loop_now() + EXIT_QUIET_NS);
		session_mark_dirty(s);
		watch_output(s, buffer, taken);
	}
	session_update_reading(s);
}

void session_output_ready(struct source *source, uint32_t events)
{
	struct session *s = CONTAINER(source, struct session, master);
	if (events & POLLOUT)
		session_flush_input(s);
	if (s->master.fd >= 0 && events & (POLLIN | POLLHUP | POLLERR))
		read_terminal(s);
}

bool session_take_output(struct session *s)
{
	if (!session_may_read(s))
		return false;
	read_terminal(s);
	return true;
}

void session_leader_ended(struct session *s, int status)
{
	if (s->leader_gone)
		return;
	s->leader_gone = true;
	s->status = status;
	s->exited_at = wall_ms();
	watch_resample(s);
	/* From here on, an error on the master means that the last process has closed the terminal. */
	if (s->slave >= 0)
		close(s->slave);
	s->slave = -1;
	if (s->master.fd >= 0)
		read_terminal(s);
}

void session_attach(struct session *s, uint64_t from)
{
	uint64_t start = from < s->ring.start ? s->ring.start : from > s->ring.end ? s->ring.end : from;
	uint8_t payload[BYTES_ATTACHED], *at = payload;
	s->attached = true;
	s->expected = false;
	s->exit_sent = false;
	s->sent = s->acked = start;
	write_u64(&at, start);
	write_u64(&at, s->ring.end);
	owner_answer(ANSWER_ATTACHED, s->id, payload, sizeof payload);
	session_mark_dirty(s);
	session_update_reading(s);
	session_gate_update(s);
}

void session_detach(struct session *s)
{
	s->attached = s->expected = false;
	session_update_reading(s);
	session_gate_update(s);
}

void session_ack(struct session *s, uint64_t offset)
{
	if (offset > s->acked && offset <= s->sent)
		s->acked = offset;
	session_update_reading(s);
}

static void send_exit(struct session *s, struct connection *c)
{
	uint8_t payload[BYTES_EXIT], *at = payload;
	write_u64(&at, s->ring.end);
	write_u32(&at, (uint32_t)session_exit_code(s));
	write_u32(&at, (uint32_t)session_exit_signal(s));
	connection_send(c, ANSWER_EXIT, s->id, payload, sizeof payload);
	s->exit_sent = true;
}

bool session_output_can_wait(const struct session *s)
{
	return s->floods && session_may_read(s) && s->ring.end - s->sent < READ_BYTES;
}

bool session_send_output(struct session *s, struct connection *c)
{
	if (!s->attached)
		return false;
	if (s->sent < s->ring.start)
		s->sent = s->ring.start;
	if (s->sent < s->ring.end) {
		uint64_t left = s->ring.end - s->sent;
		size_t length = left < READ_BYTES ? (size_t)left : READ_BYTES;
		uint8_t *at = connection_reserve(c, ANSWER_OUTPUT, s->id, 8 + length);
		if (!at)
			return false;
		write_u64(&at, s->sent);
		ring_copy(&s->ring, s->sent, at, length);
		s->sent += length;
		if (s->ring.starved)
			session_update_reading(s);
	}
	if (s->sent < s->ring.end)
		return true;
	if (s->exit_due && !s->exit_sent)
		send_exit(s, c);
	return false;
}
