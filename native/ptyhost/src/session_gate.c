#include "session_gate.h"

#include "answers.h"
#include "system.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

enum { MESSAGE_BYTES_MAX = 16 << 10, MESSAGES_AT_ONCE = 16 /* then other sessions have their turn */ };

static void gate_ready(struct source *source, uint32_t events)
{
	(void)events;
	static uint8_t message[MESSAGE_BYTES_MAX];
	struct session *s = CONTAINER(source, struct session, gate);
	for (int i = 0; i < MESSAGES_AT_ONCE; i++) {
		ssize_t length = recv(source->fd, message, sizeof message, MSG_DONTWAIT);
		if (length < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (length <= 0) { /* its keeper has ended */
			session_gate_free(s);
			return;
		}
		owner_answer(ANSWER_GATE, s->id, message, (size_t)length);
	}
}

void session_gate_init(struct session *s, int channel) { s->gate = (struct source){.fd = channel, .ready = gate_ready}; }

void session_gate_update(struct session *s)
{
	if (s->gate.fd >= 0)
		loop_watch(&s->gate, s->attached ? POLLIN : 0);
}

void session_gate_send(struct session *s, const uint8_t *message, size_t length)
{
	if (s->gate.fd >= 0 && length > 0 && length <= MESSAGE_BYTES_MAX)
		send(s->gate.fd, message, length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void session_gate_free(struct session *s)
{
	if (s->gate.fd >= 0)
		loop_watch(&s->gate, 0);
	fd_close(&s->gate.fd);
}
