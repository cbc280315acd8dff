/*
 * Connections on ptyhost's socket: who may speak, what they say, and the answers that wait to be sent to them.
 *
 * Only one is the owner. Answers are queued; output is put behind them only as fast as the socket takes it, one piece
 * per session in turn, so no session waits behind another one's flood.
 */
#ifndef PTYHOST_CONNECTION_H
#define PTYHOST_CONNECTION_H

#include "protocol.h"
#include "session.h"

#include <stddef.h>
#include <stdint.h>

struct connection;

/* From now on the owner's end is ours: every session is closed, then ptyhost ends. */
void connections_end_with_owner(void);
void connection_accept(struct source *listener, uint32_t events);
size_t connection_count(void);
/* Queues a whole frame. A connection that never reads is cut off, not waited for. */
void connection_send(struct connection *, enum answer_type, uint32_t session, const void *payload, size_t length);
/* Room for a frame's payload inside the queue, header already written; NULL when the connection is finished. */
uint8_t *connection_reserve(struct connection *, enum answer_type, uint32_t session, size_t length);
/* To the owner; without one the answer is dropped, since nobody waits for it any more. */
void owner_answer(enum answer_type, uint32_t session, const void *payload, size_t length);
/* The same for what the owner needs soon and not at once: it goes with the next other answer, or after DEFER_NS. */
void owner_answer_deferred(enum answer_type, uint32_t session, const void *payload, size_t length);
void owner_error(uint32_t session, uint32_t request, int error, const char *message);
void connection_mark_dirty(struct session *);
void connection_forget_dirty(struct session *);
/* After each round of events: everything new goes out. */
void connections_flush(void);

#endif
