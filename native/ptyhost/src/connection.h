/*
 * Connections on ptyhost's socket: who may speak, what they say, and the answers that wait to be sent to them.
 *
 * Only one is the owner. Answers are queued; output is put behind them only as fast as the socket takes it, one piece
 * per session in turn, so no session waits behind another one's flood.
 */
#ifndef PTYHOST_CONNECTION_H
#define PTYHOST_CONNECTION_H

#include "loop.h"

#include <stddef.h>
#include <stdint.h>

/* From now on the owner's end is ours: every session is closed, then ptyhost ends. */
void connections_end_with_owner(void);
void connection_accept(struct source *listener, uint32_t events);
size_t connection_count(void);
/* After each round of events: everything new goes out. */
void connections_flush(void);

#endif
