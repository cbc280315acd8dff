/* Moves output from the PTY into the ring, and from the ring to the owner. */
#ifndef PTYHOST_SESSION_OUTPUT_H
#define PTYHOST_SESSION_OUTPUT_H

#include "session.h"

struct connection;

void session_output_ready(struct source *, uint32_t events);
/* Reads all available output; false when the session's reader is behind and nothing may be read. */
bool session_take_output(struct session *);
void session_attach(struct session *, uint64_t from);
void session_detach(struct session *);
void session_ack(struct session *, uint64_t offset);
/* True if more output is about to follow, so that both can be sent in one piece. */
bool session_output_can_wait(const struct session *);
/* Puts the next piece of output, or the due exit, into the owner's buffer; true while there is more. */
bool session_send_output(struct session *, struct connection *);
void session_mark_dirty(struct session *);
/* Records an event of the terminal after the byte before `offset`. `always`: even if it is close to the last moment. */
void session_note_moment(struct session *, uint64_t offset, bool always);
bool session_resize(struct session *, uint16_t cols, uint16_t rows);
/* To be called after the program's end: reads the remaining output, then reports the exit. */
void session_leader_ended(struct session *, int status);

#endif
