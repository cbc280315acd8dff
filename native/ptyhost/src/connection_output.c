#include "connection_output.h"

#include "connection.h"
#include "limits.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

static struct session *dirty_first, **dirty_last = &dirty_first;

uint8_t *connection_reserve(struct connection *c, enum answer_type type, uint32_t session, size_t length)
{
	if (c->finished)
		return NULL;
	uint8_t *at = NULL;
	if (bytes_length(&c->out) + length <= CONTROL_BYTES_MAX)
		at = bytes_reserve(&c->out, FRAME_HEADER_BYTES + length);
	if (!at) {
		c->finished = true;
		return NULL;
	}
	bytes_grow(&c->out, FRAME_HEADER_BYTES + length);
	c->urgent = true;
	write_u32(&at, (uint32_t)length);
	write_u32(&at, session);
	write_u32(&at, (uint32_t)type);
	return at;
}

void connection_send(struct connection *c, enum answer_type type, uint32_t session, const void *payload, size_t length)
{
	uint8_t *at = connection_reserve(c, type, session, length);
	if (at)
		write_raw(&at, payload, length);
}

void owner_answer(enum answer_type type, uint32_t session, const void *payload, size_t length)
{
	if (owner)
		connection_send(owner, type, session, payload, length);
}

void owner_answer_deferred(enum answer_type type, uint32_t session, const void *payload, size_t length)
{
	if (!owner)
		return;
	bool urgent = owner->urgent;
	connection_send(owner, type, session, payload, length);
	owner->urgent = urgent;
}

void owner_error(uint32_t session, uint32_t request, int error, const char *message)
{
	uint8_t payload[256], *at = payload;
	size_t length = strlen(message) < 200 ? strlen(message) : 200;
	write_u32(&at, request);
	write_u32(&at, (uint32_t)error);
	write_u32(&at, (uint32_t)length);
	write_raw(&at, message, length);
	owner_answer(ANSWER_ERROR, session, payload, (size_t)(at - payload));
}

void connection_mark_dirty(struct session *s)
{
	if (s->dirty)
		return;
	s->dirty = true;
	s->dirty_next = NULL;
	*dirty_last = s;
	dirty_last = &s->dirty_next;
}

void connection_forget_dirty(struct session *s)
{
	if (!s->dirty)
		return;
	struct session **link = &dirty_first;
	while (*link != s)
		link = &(*link)->dirty_next;
	*link = s->dirty_next;
	if (dirty_last == &s->dirty_next)
		dirty_last = link;
	s->dirty = false;
}

static bool has_room(const struct connection *c) { return !c->finished && bytes_length(&c->out) < OUTPUT_AHEAD_BYTES; }

/* In the order in which they had something to send. One that floods lets others go before until its piece is whole. */
static void send_dirty_sessions(void)
{
	if (!owner)
		return;
	bool gathers = false;
	for (struct session **link = &dirty_first; *link && has_room(owner);) {
		struct session *s = *link;
		if (!owner->gathered && session_output_can_wait(s)) {
			gathers = true;
			link = &s->dirty_next;
			continue;
		}
		connection_forget_dirty(s);
		if (session_send_output(s, owner))
			connection_mark_dirty(s);
	}
	owner->gathered = false;
	if (gathers && !owner->gather.link)
		timer_arm(&owner->gather, loop_now() + GATHER_NS);
}

static void gathering_is_over(struct timer *timer) { CONTAINER(timer, struct connection, gather)->gathered = true; }

static void deferral_is_over(struct timer *timer) { CONTAINER(timer, struct connection, deferral)->urgent = true; }

/* A wake-up costs the owner more than what most answers say: these wait a moment for others to go with. */
static bool can_wait(struct connection *c)
{
	if (c->urgent || c->finished || bytes_length(&c->out) == 0)
		return false;
	if (!c->deferral.link)
		timer_arm(&c->deferral, loop_now() + DEFER_NS);
	return true;
}

void connection_write(struct connection *c)
{
	if (c == owner)
		send_dirty_sessions();
	if (can_wait(c))
		return;
	for (;;) {
		if (c == owner)
			send_dirty_sessions();
		if (bytes_length(&c->out) == 0) {
			c->urgent = false;
			timer_disarm(&c->deferral);
			break;
		}
		ssize_t length = send(c->socket.fd, bytes_front(&c->out), bytes_length(&c->out), 0);
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0 && errno != EAGAIN)
			c->finished = true;
		if (length <= 0)
			break;
		bytes_consume(&c->out, (size_t)length);
	}
	if (!c->finished)
		loop_watch(&c->socket, bytes_length(&c->out) ? POLLIN | POLLOUT : POLLIN);
}

void connection_output_init(struct connection *c)
{
	c->deferral.fire = deferral_is_over;
	c->gather.fire = gathering_is_over;
}

void connection_output_end(struct connection *c)
{
	timer_disarm(&c->deferral);
	timer_disarm(&c->gather);
}
