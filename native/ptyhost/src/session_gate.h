/* Passes on what the gate of a session reports. */
#ifndef PTYHOST_SESSION_GATE_H
#define PTYHOST_SESSION_GATE_H

#include "session.h"

/* Takes the channel. Without one (-1) the session has no gate. */
void session_gate_init(struct session *, int channel);
/* While no owner is attached, messages stay in the channel, and the gate keeps what does not fit. */
void session_gate_update(struct session *);
/* Passes a message on to the gate. One that has no room now is lost: its sender asks for the questions again. */
void session_gate_send(struct session *, const uint8_t *message, size_t length);
void session_gate_free(struct session *);

#endif
