/* Queues answers on connections. connection_output.c sends them after each round of events. */
#ifndef PTYHOST_ANSWERS_H
#define PTYHOST_ANSWERS_H

#include "protocol.h"

#include <stddef.h>
#include <stdint.h>

struct connection;

/* The connection that controls the sessions; NULL while there is none. */
extern struct connection *owner;

/* Queues a whole frame. A connection that never reads is closed, not waited for. */
void connection_send(struct connection *, enum answer_type, uint32_t session, const void *payload, size_t length);
/* Reserves the payload of a frame inside the queue, with its header written; NULL if the connection has ended. */
uint8_t *connection_reserve(struct connection *, enum answer_type, uint32_t session, size_t length);
/* Sends to the owner; without one the answer is dropped. */
void owner_answer(enum answer_type, uint32_t session, const void *payload, size_t length);
/* Sends an answer that is not urgent: with the next other answer, or after DEFER_NS. */
void owner_answer_deferred(enum answer_type, uint32_t session, const void *payload, size_t length);
/* Reports that the request has been carried out. */
void owner_done(uint32_t session, uint32_t request);
void owner_error(uint32_t session, uint32_t request, int error, const char *message);

#endif
