/* Samples kernel facts while a client waits for this session's turn, and only then. */
#ifndef PTYHOST_SESSION_WATCH_H
#define PTYHOST_SESSION_WATCH_H

#include "session.h"

void watch_init(struct session *);
void watch_set(struct session *, bool on);
void watch_free(struct session *);

#endif
