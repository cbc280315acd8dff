#include "session_reading.h"

#include "limits.h"

#include <poll.h>

size_t session_read_limit(const struct session *s)
{
	if (s->master.fd < 0 || s->terminal_closed)
		return 0;
	if (s->closing || !(s->attached || s->expected))
		return READ_BYTES;
	/* Output that the owner has not acknowledged must stay in the ring, to the byte. */
	uint64_t most = s->ring.capacity < UNACKED_BYTES_MAX ? s->ring.capacity : UNACKED_BYTES_MAX;
	uint64_t unseen = s->ring.end - s->acked, left = unseen < most ? most - unseen : 0;
	if (!s->ring.starved)
		return (size_t)left;
	/* Without memory for all of that, at least unsent output is retained. */
	uint64_t unsent = s->ring.end - s->sent, space = unsent < s->ring.size ? s->ring.size - unsent : 0;
	return (size_t)(left < space ? left : space);
}

bool session_may_read(const struct session *s) { return session_read_limit(s) > 0; }

void session_update_reading(struct session *s)
{
	uint32_t events = session_may_read(s) ? POLLIN : 0;
	if (bytes_length(&s->input) > 0 && s->master.fd >= 0 && !s->terminal_closed)
		events |= POLLOUT;
	/* A terminal without a program always reports "hung up". It is not polled while its reader is behind. */
	if (s->leader_gone && !session_may_read(s))
		events = 0;
	loop_watch(&s->master, events);
}
