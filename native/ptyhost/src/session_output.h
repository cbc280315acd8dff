/* Moves output from the PTY into the ring, and from the ring to the owner. */
#ifndef PTYHOST_SESSION_OUTPUT_H
#define PTYHOST_SESSION_OUTPUT_H

#include "session.h"

struct connection;

void session_output_ready(struct source *, uint32_t events);
/* Reads what there is now; false when the session's reader is behind and nothing may be read. */
bool session_take_output(struct session *);
void session_attach(struct session *, uint64_t from);
void session_detach(struct session *);
void session_ack(struct session *, uint64_t offset);
/* More is about to follow, and then it can be sent in one piece. */
bool session_output_can_wait(const struct session *);
/* Puts the next piece of output, or the due exit, into the owner's buffer; true while there is more. */
bool session_send_output(struct session *, struct connection *);
void session_mark_dirty(struct session *);
/* Something happens to the terminal now, behind the byte before `offset`. `always`: however close it is to the last moment. */
void session_note_moment(struct session *, uint64_t offset, bool always);
bool session_resize(struct session *, uint16_t cols, uint16_t rows);
/* The program has gone: what is still in the terminal is read, then the exit is reported. */
void session_leader_ended(struct session *, int status);

#endif
