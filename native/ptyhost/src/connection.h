/*
 * Connections on ptyhost's socket: their rights, their requests, and the queued answers.
 *
 * Only one connection is the owner. Answers are queued. Output follows them only as fast as the socket accepts it, one piece
  * per session in turn, so that no session waits behind another's flood.
 */
#ifndef PTYHOST_CONNECTION_H
#define PTYHOST_CONNECTION_H

#include "loop.h"

#include <stddef.h>
#include <stdint.h>

/* Ends with the owner from now on: when its connection closes, every session is closed and ptyhost ends. */
void connections_end_with_owner(void);
void connection_accept(struct source *listener, uint32_t events);
size_t connection_count(void);
/* Sends everything new; called after each round of events. */
void connections_flush(void);

#endif
