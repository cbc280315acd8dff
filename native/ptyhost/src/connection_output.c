#include "connection_output.h"

#include "answers.h"
#include "connection_state.h"
#include "dirty_sessions.h"
#include "limits.h"
#include "session_output.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

static bool has_room(const struct connection *c) { return !c->finished && bytes_length(&c->out) < OUTPUT_AHEAD_BYTES; }

/* Sends in the order of arrival. A session with much output lets others go first until its piece is complete. */
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
		dirty_sessions_remove(s);
		if (session_send_output(s, owner))
			dirty_sessions_add(s);
	}
	owner->gathered = false;
	if (gathers && !owner->gather.link)
		timer_arm(&owner->gather, loop_now() + GATHER_NS);
}

static void gathering_is_over(struct timer *timer) { CONTAINER(timer, struct connection, gather)->gathered = true; }

static void deferral_is_over(struct timer *timer) { CONTAINER(timer, struct connection, deferral)->urgent = true; }

/* A wake-up costs the owner more than most answers are worth, so these wait a moment and are sent together. */
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
