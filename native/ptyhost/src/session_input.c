/*
 * Input to the program: complete, in order, and without delaying other sessions.
 *
 * A program that does not read fills its terminal's queue; the rest waits here. An interrupt key must work even then, as it
  * does for a person: its signal is sent and earlier input is dropped. A take-over drops that input permanently.
 */
#include "session_input.h"

#include "answers.h"
#include "limits.h"
#include "protocol.h"
#include "session_proof.h"
#include "session_reading.h"
#include "session_steps.h"
#include "system.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* The line discipline holds 4,096 bytes; above this mark it may accept no more. */
enum { TERMINAL_FULL_BYTES = 3500 };

static void answer_written(const struct session *s, uint32_t request, enum write_result result, int signal_number,
                           uint64_t dropped)
{
	uint8_t payload[BYTES_WRITTEN], *at = payload;
	write_u32(&at, request);
	write_u8(&at, (uint8_t)result);
	write_u32(&at, (uint32_t)signal_number);
	write_u64(&at, dropped);
	write_u8(&at, s->watch.echoed);
	write_u64(&at, s->input_written);
	/* A client that waits for the program's answer receives the write's result with it. */
	bool awaits_more = s->watch.on && result == WRITE_ALL;
	(awaits_more ? owner_answer_deferred : owner_answer)(ANSWER_WRITTEN, s->id, payload, sizeof payload);
}

static void input_retry(struct timer *timer)
{
	session_flush_input(CONTAINER(timer, struct session, input_retry));
}

void session_input_init(struct session *s) { s->input_retry.fire = input_retry; }

uint64_t session_drop_input(struct session *s)
{
	uint64_t dropped = bytes_length(&s->input);
	bytes_consume(&s->input, dropped);
	s->input_queued = s->input_written;
	for (size_t i = 0; i < s->write_count; i++)
		answer_written(s, s->writes[i].request, WRITE_DROPPED, 0, s->writes[i].end - s->input_written);
	s->write_count = 0;
	timer_disarm(&s->input_retry);
	return dropped;
}

static void answer_finished_writes(struct session *s)
{
	size_t done = 0;
	while (done < s->write_count && s->writes[done].end <= s->input_written)
		answer_written(s, s->writes[done++].request, WRITE_ALL, 0, 0);
	s->write_count -= done;
	memmove(s->writes, s->writes + done, s->write_count * sizeof *s->writes);
}

/* Returns the signal of a key in this terminal, or 0. */
static int signal_of_key(const struct session *s, uint8_t key)
{
	struct termios termios;
	if (s->master.fd < 0 || tcgetattr(s->master.fd, &termios) < 0 || !(termios.c_lflag & ISIG) || key == 0)
		return 0;
	if (key == termios.c_cc[VINTR])
		return SIGINT;
	if (key == termios.c_cc[VQUIT])
		return SIGQUIT;
	return key == termios.c_cc[VSUSP] ? SIGTSTP : 0;
}

/* If the pending input is one key that becomes a signal, returns its number, else 0. */
static int signal_of_input(struct session *s)
{
	return bytes_length(&s->input) == 1 ? signal_of_key(s, *bytes_front(&s->input)) : 0;
}

void session_flush_input(struct session *s)
{
	bool wrote = false;
	while (bytes_length(&s->input) > 0 && s->master.fd >= 0) {
		watch_before_write(s, signal_of_input(s));
		ssize_t length = write(s->master.fd, bytes_front(&s->input), bytes_length(&s->input));
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			break;
		wrote = true;
		bytes_consume(&s->input, (size_t)length);
		s->input_written += (uint64_t)length;
	}
	if (wrote)
		watch_after_write(s);
	answer_finished_writes(s);
	if (bytes_length(&s->input) > 0)
		timer_arm(&s->input_retry, loop_now() + INPUT_RETRY_NS);
	session_update_reading(s);
}

static bool input_is_stuck(const struct session *s)
{
	return bytes_length(&s->input) > 0 || system_unread(s->slave) >= TERMINAL_FULL_BYTES;
}

static bool has_room(const struct session *s, size_t length)
{
	return bytes_length(&s->input) + length <= INPUT_BYTES_MAX && s->write_count < sizeof s->writes / sizeof *s->writes;
}

static void interrupt(struct session *s, uint32_t request, int signal_number)
{
	uint64_t dropped = session_drop_input(s) + system_unread(s->slave);
	/* First drops the input between ptyhost and the line discipline, then the input that it already took. */
	tcflush(s->master.fd, TCOFLUSH);
	if (s->slave >= 0)
		tcflush(s->slave, TCIFLUSH);
	if (ioctl(s->master.fd, TIOCSIG, signal_number) < 0)
		session_signal(s, signal_number);
	watch_resample(s);
	answer_written(s, request, WRITE_INTERRUPTED, signal_number, dropped);
}

/* The terminal's own kill key removes a partial line, with its echo. */
static void kill_half_line(const struct session *s)
{
	struct termios termios;
	if (tcgetattr(s->master.fd, &termios) < 0 || !(termios.c_lflag & ICANON) || termios.c_cc[VKILL] == 0)
		return;
	/* A full terminal does not accept the key; its input is dropped all the same. */
	ssize_t written = write(s->master.fd, &termios.c_cc[VKILL], 1);
	(void)written;
	system_unread(s->slave); /* makes the terminal take it now, before the flush */
}

void session_drop_unread(struct session *s, uint32_t request)
{
	uint64_t dropped = session_drop_input(s);
	if (s->master.fd >= 0 && !s->leader_gone) {
		dropped += system_unread(s->slave);
		kill_half_line(s);
		if (s->slave >= 0)
			tcflush(s->slave, TCIFLUSH);
		watch_resample(s);
	}
	answer_written(s, request, WRITE_ALL, 0, dropped);
}

/* Returns whether this writer's input under this number or a later one was taken, and records it as taken. */
static bool was_taken(struct session *s, uint64_t writer, uint64_t number)
{
	size_t i = 0;
	while (i < s->writer_count && s->writers[i].id != writer)
		i++;
	bool is_known = i < s->writer_count;
	struct writer w = is_known ? s->writers[i] : (struct writer){.id = writer};
	if (!is_known && s->writer_count < sizeof s->writers / sizeof *s->writers)
		s->writer_count++;
	else if (!is_known)
		i = s->writer_count - 1; /* replaces the least recent writer */
	memmove(s->writers + 1, s->writers, i * sizeof *s->writers);
	bool taken = number <= w.number;
	if (!taken)
		w.number = number;
	s->writers[0] = w;
	return taken;
}

void session_write_once(struct session *s, uint32_t request, const struct numbered_input *input)
{
	bool can_take = s->master.fd >= 0 && !s->leader_gone && has_room(s, input->length);
	if (can_take && was_taken(s, input->writer, input->number))
		answer_written(s, request, WRITE_ALL, 0, 0);
	else
		session_write(s, request, input->data, input->length);
}

void session_write(struct session *s, uint32_t request, const uint8_t *data, size_t length)
{
	if (s->master.fd < 0 || s->leader_gone || s->closing) {
		owner_error(s->id, request, EIO, "the program has ended");
		return;
	}
	int signal_number = length == 1 ? signal_of_key(s, data[0]) : 0;
	if (signal_number && input_is_stuck(s)) {
		interrupt(s, request, signal_number);
		return;
	}
	if (!has_room(s, length) || !bytes_append(&s->input, data, length)) {
		owner_error(s->id, request, ENOBUFS, "the program does not read and its input queue is full");
		return;
	}
	if (s->input_queued == s->input_written && s->watch.consumed)
		s->watch.in_parts = false;
	s->input_queued += length;
	s->writes[s->write_count++] = (struct pending_write){.request = request, .end = s->input_queued};
	session_flush_input(s);
}
