#include "answers.h"

#include "connection_state.h"
#include "limits.h"

#include <string.h>

struct connection *owner;

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

void owner_done(uint32_t session, uint32_t request)
{
	uint8_t payload[BYTES_DONE], *at = payload;
	write_u32(&at, request);
	owner_answer(ANSWER_DONE, session, payload, sizeof payload);
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
