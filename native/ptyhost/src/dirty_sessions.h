/* The sessions that have something to send, in the order in which they had it. */
#ifndef PTYHOST_DIRTY_SESSIONS_H
#define PTYHOST_DIRTY_SESSIONS_H

struct session;

/* Linked by dirty_next. */
extern struct session *dirty_first;

/* At the end, unless it is in the list. */
void dirty_sessions_add(struct session *);
void dirty_sessions_remove(struct session *);

#endif
