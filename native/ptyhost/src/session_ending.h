/* Ends sessions and frees them. */
#ifndef PTYHOST_SESSION_ENDING_H
#define PTYHOST_SESSION_ENDING_H

#include "session.h"

void session_free(struct session *);
/* Starts the deadlines of the keeper. */
void session_ending_init(struct session *);
/* Not twice: the caller checks `closing` first. The answer comes later, as CLOSED. */
void session_close(struct session *, uint32_t request, uint16_t grace_ms, bool leave_daemons);
void session_start_failed(struct session *, int error);
/* To be called after its control socket has closed and after it was reaped. After both, ptyhost takes over its processes. */
void session_keeper_ended(struct session *);
/* To be called after a child of ptyhost ended: a keeper, or a program whose keeper was killed. */
void session_child_ended(pid_t, int status);
/* To be called after a child of ptyhost was stopped: a keeper has to continue. */
void session_child_stopped(pid_t);

#endif
