/* The sessions that have something to send, in the order in which they had it. */
#ifndef PTYHOST_DIRTY_SESSIONS_H
#define PTYHOST_DIRTY_SESSIONS_H

struct session;

/* Linked by dirty_next. */
extern struct session *dirty_first;

void connection_mark_dirty(struct session *);
void connection_forget_dirty(struct session *);

#endif
