/* How much of a program's output may be read now. */
#ifndef PTYHOST_SESSION_READING_H
#define PTYHOST_SESSION_READING_H

#include "session.h"

/* In bytes. While an owner is attached, or about to be, it decides the pace; without one the program goes on and the ring keeps the newest. */
size_t session_read_limit(const struct session *);
bool session_may_read(const struct session *);
/* Asks the loop for what may be done with the terminal now. */
void session_update_reading(struct session *);

#endif
