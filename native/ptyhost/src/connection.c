#include "connection.h"

#include "answers.h"
#include "connection_output.h"
#include "connection_state.h"
#include "limits.h"
#include "requests.h"
#include "session_output.h"
#include "session_watch.h"
#include "shutdown.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct connection *connections;
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
		for (struct session *s = sessions; s; s = s->next) {
			watch_set(s, false);
			session_detach(s);
		}
		if (ends_with_owner)
			shutdown_begin(0);
	}
	timer_disarm(&c->hello);
	connection_output_end(c);
	loop_watch(&c->socket, 0);
	close(c->socket.fd);
	bytes_free(&c->in);
	bytes_free(&c->out);
	loop_free_later(c);
}

static void greet(struct connection *c, const uint8_t *payload, size_t length)
{
	struct reader r = {.at = payload, .end = payload + length};
	uint32_t magic = read_u32(&r);
	uint16_t version = read_u16(&r);
	if (r.bad || magic != PROTOCOL_MAGIC) {
		c->finished = true;
		return;
	}
	/* A host about to end accepts no owner: the client retries and finds or starts the next host. */
	bool granted = version == PROTOCOL_VERSION && !owner && !is_shutting_down();
	uint8_t answer[BYTES_HELLO], *at = answer;
	write_u16(&at, PROTOCOL_VERSION);
	write_u32(&at, (uint32_t)getpid());
	write_u32(&at, (uint32_t)session_count);
	write_u8(&at, granted);
	write_u8(&at, true);
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

/* Refuses a frame by its first bytes, which contain the request number, and skips the rest. False: those bytes are not here yet. */
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

/* Without a free descriptor a waiting connection can be neither accepted nor refused, and the loop would spin on it. One
 * descriptor is reserved for refusing. */
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
	connection_output_init(c);
	c->next = connections;
	connections = c;
	count++;
	timer_arm(&c->hello, loop_now() + HELLO_NS);
	if (!loop_watch(&c->socket, POLLIN))
		connection_end(c);
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
