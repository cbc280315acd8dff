/* The list of sessions with output or an exit to send, in the order in which it came. */
#ifndef PTYHOST_DIRTY_SESSIONS_H
#define PTYHOST_DIRTY_SESSIONS_H

struct session;

/* The first one; `dirty_next` links the others. */
extern struct session *dirty_first;

/* Appends the session, unless it is in the list. */
void dirty_sessions_add(struct session *);
void dirty_sessions_remove(struct session *);

#endif
