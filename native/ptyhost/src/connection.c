#include "connection.h"

#include "limits.h"
#include "requests.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct connection {
	struct connection *next; /* first: loop_free_later writes here, and the source below must stay readable */
	struct source socket;
	struct bytes in, out;
	bool greeted, finished;
	uint64_t passed_over; /* bytes still to come of a frame that is too long: dropped as they come */
	bool urgent; /* what is queued is worth waking the other side for at once */
	bool gathered; /* what its sessions held back goes out now */
	struct timer hello, calm, gather;
};

static struct connection *connections, *owner;
static struct session *dirty_first, **dirty_last = &dirty_first;
static size_t count;
static bool ends_with_owner;

size_t connection_count(void) { return count; }

void connections_end_with_owner(void) { ends_with_owner = true; }

static void connection_end(struct connection *c)
{
	for (struct connection **link = &connections; *link; link = &(*link)->next) {
		if (*link == c) {
			*link = c->next;
			count--;
			break;
		}
	}
	if (owner == c) {
		owner = NULL;
		for (struct session *s = sessions; s; s = s->next)
			session_detach(s);
		if (ends_with_owner)
			shutdown_begin(0);
	}
	timer_disarm(&c->hello);
	timer_disarm(&c->calm);
	timer_disarm(&c->gather);
	loop_watch(&c->socket, 0);
	close(c->socket.fd);
	bytes_free(&c->in);
	bytes_free(&c->out);
	loop_free_later(c);
}

/* ---- telling ---- */

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

void owner_answer_calmly(enum answer_type type, uint32_t session, const void *payload, size_t length)
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

static void calm_is_over(struct timer *timer) { CONTAINER(timer, struct connection, calm)->urgent = true; }

/* A wake-up costs the owner more than what most answers say: these wait a moment for others to go with. */
static bool can_wait(struct connection *c)
{
	if (c->urgent || c->finished || bytes_length(&c->out) == 0)
		return false;
	if (!c->calm.link)
		timer_arm(&c->calm, loop_now() + CALM_NS);
	return true;
}

static void connection_write(struct connection *c)
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
			timer_disarm(&c->calm);
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

void connections_flush(void)
{
	for (struct connection *c = connections, *next; c; c = next) {
		next = c->next;
		connection_write(c);
		if (c->finished)
			connection_end(c);
	}
}

/* ---- listening ---- */

static void greet(struct connection *c, const uint8_t *payload, size_t length)
{
	struct reader r = {.at = payload, .end = payload + length};
	uint32_t magic = read_u32(&r);
	uint16_t version = read_u16(&r);
	if (r.bad || magic != PROTOCOL_MAGIC) {
		c->finished = true;
		return;
	}
	/* One that is about to end takes nobody in: whoever asks comes back and finds or starts the next. */
	bool granted = version == PROTOCOL_VERSION && !owner && !is_shutting_down();
	uint8_t answer[11], *at = answer;
	write_u16(&at, PROTOCOL_VERSION);
	write_u32(&at, (uint32_t)getpid());
	write_u32(&at, (uint32_t)session_count);
	write_u8(&at, granted);
	connection_send(c, ANSWER_HELLO, 0, answer, sizeof answer);
	timer_disarm(&c->hello);
	c->greeted = true;
	if (granted)
		owner = c;
}

static void handle_frame(struct connection *c, uint8_t type, uint32_t session, const uint8_t *payload, size_t length)
{
	if (!c->greeted && type == REQUEST_HELLO)
		greet(c, payload, length);
	else if (c == owner)
		request_handle(type, session, payload, length);
	else
		c->finished = true;
}

/* Of a frame that is not read so much is looked at as tells which request it is; the rest is passed over. False: not yet there. */
static bool refuse_frame(struct connection *c, int problem)
{
	enum { BEGINNING = 4 };
	if (c != owner) {
		c->finished = true;
		return false;
	}
	if (bytes_length(&c->in) < FRAME_HEADER_BYTES + BEGINNING)
		return false;
	uint8_t *front = bytes_front(&c->in);
	struct reader header = {.at = front, .end = front + FRAME_HEADER_BYTES};
	uint32_t length = read_u32(&header), session = read_u32(&header);
	request_refuse(problem, read_u8(&header), session, front + FRAME_HEADER_BYTES, BEGINNING);
	bytes_consume(&c->in, FRAME_HEADER_BYTES);
	c->passed_over = length;
	return true;
}

static void pass_over(struct connection *c)
{
	size_t here = bytes_length(&c->in);
	size_t length = c->passed_over < here ? (size_t)c->passed_over : here;
	bytes_consume(&c->in, length);
	c->passed_over -= length;
}

static void handle_input(struct connection *c)
{
	while (!c->finished && bytes_length(&c->in) >= (c->passed_over ? 1 : FRAME_HEADER_BYTES)) {
		if (c->passed_over) {
			pass_over(c);
			continue;
		}
		uint8_t *front = bytes_front(&c->in);
		struct reader header = {.at = front, .end = front + FRAME_HEADER_BYTES};
		uint32_t length = read_u32(&header), session = read_u32(&header);
		uint8_t type = read_u8(&header);
		if (length > FRAME_BYTES_MAX) {
			if (!refuse_frame(c, EMSGSIZE))
				return;
			continue;
		}
		if (bytes_length(&c->in) < FRAME_HEADER_BYTES + length)
			return;
		handle_frame(c, type, session, front + FRAME_HEADER_BYTES, length);
		bytes_consume(&c->in, FRAME_HEADER_BYTES + length);
	}
}

static void connection_ready(struct source *source, uint32_t events)
{
	struct connection *c = CONTAINER(source, struct connection, socket);
	if (!(events & (POLLIN | POLLHUP | POLLERR)))
		return; /* room to write: connections_flush follows */
	size_t most = READ_BYTES;
	uint8_t *room = bytes_reserve(&c->in, most);
	if (!room)
		most = bytes_spare(&c->in, most, &room);
	if (most == 0) { /* no memory for the rest of a long frame */
		refuse_frame(c, ENOMEM);
		handle_input(c);
		return;
	}
	ssize_t length = recv(source->fd, room, most, 0);
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length <= 0) {
		c->finished = true;
		return;
	}
	bytes_grow(&c->in, (size_t)length);
	handle_input(c);
}

static void hello_missed(struct timer *timer) { CONTAINER(timer, struct connection, hello)->finished = true; }

/* Without a descriptor a waiting connection can be neither taken nor refused, and the loop would spin on it: one is kept
 * in reserve to refuse with. */
static int spare_fd = -1;

static void reserve_spare(void)
{
	if (spare_fd < 0)
		spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void refuse_for_want_of_fds(int listener)
{
	close(spare_fd);
	spare_fd = -1;
	int fd = accept(listener, NULL, NULL);
	if (fd >= 0)
		close(fd);
	reserve_spare();
}

void connection_accept(struct source *listener, uint32_t events)
{
	(void)events;
	reserve_spare();
	int fd = fd_nonblocking(fd_kept(accept(listener->fd, NULL, NULL)));
	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE)
			refuse_for_want_of_fds(listener->fd);
		return;
	}
	struct connection *c = count < CONNECTIONS_MAX && system_is_same_user(fd) ? calloc(1, sizeof *c) : NULL;
	if (!c) {
		close(fd);
		return;
	}
	if (!bytes_keep(&c->in, REQUEST_BYTES_KEPT) || !bytes_keep(&c->out, ANSWER_BYTES_KEPT)) {
		bytes_free(&c->in);
		free(c);
		close(fd);
		return;
	}
	c->socket = (struct source){.fd = fd, .ready = connection_ready};
	c->hello.fire = hello_missed;
	c->calm.fire = calm_is_over;
	c->gather.fire = gathering_is_over;
	c->next = connections;
	connections = c;
	count++;
	timer_arm(&c->hello, loop_now() + HELLO_NS);
	if (!loop_watch(&c->socket, POLLIN))
		connection_end(c);
}
