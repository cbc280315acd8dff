/* Ends sessions and frees them. */
#ifndef PTYHOST_SESSION_ENDING_H
#define PTYHOST_SESSION_ENDING_H

#include "session.h"

void session_free(struct session *);
/* From here on the keeper has its deadlines. */
void session_ending_init(struct session *);
/* Not twice: the caller checks `closing` first. The answer comes later, as CLOSED. */
void session_close(struct session *, uint32_t request, uint16_t grace_ms, bool leave_daemons);
void session_start_failed(struct session *, int error);
/* Its control socket has closed, or it has been reaped: after both, ptyhost takes over what it left. */
void session_keeper_ended(struct session *);
/* Some child of ptyhost ended: a keeper, or a program whose keeper was killed. */
void session_child_ended(pid_t, int status);
/* Some child of ptyhost was stopped: a keeper has to go on. */
void session_child_stopped(pid_t);

#endif
