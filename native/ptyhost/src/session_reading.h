/* Decides how much of a program's output may be read now. */
#ifndef PTYHOST_SESSION_READING_H
#define PTYHOST_SESSION_READING_H

#include "session.h"

/* The number of bytes. While an owner is attached, or about to be, it decides the pace. Without one the program continues and the
 * ring keeps the newest output. */
size_t session_read_limit(const struct session *);
bool session_may_read(const struct session *);
/* Asks the loop for the events that the session can handle now. */
void session_update_reading(struct session *);

#endif
