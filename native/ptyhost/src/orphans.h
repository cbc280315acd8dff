/*
 * Processes that have come to ptyhost because the keeper above them has gone: children of ours that are no keepers.
 *
 * Each belongs to the session whose keeper it had, and so does what it leaves behind when it ends; what a keeper has left
 * alone on request belongs to none. Their numbers stay theirs until we reap them, so none is ever taken for another.
 */
#ifndef PTYHOST_ORPHANS_H
#define PTYHOST_ORPHANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Every child of ours that nobody accounts for is this session's from now on, unless its terminal or its session says whose
 * it is. 0: nobody's. */
void orphans_claim(uint32_t session);
/* A child has been reaped: true when it was one of these. What it left behind is due to be claimed for the same session. */
bool orphan_ended(pid_t);
void orphans_due(uint32_t session);
/* Once for all that have been reaped together. */
void orphans_claim_due(void);
/* Those of one session, at most `max`. */
size_t orphans_of(uint32_t session, pid_t *found, size_t max);
/* The session is over: what could not be ended is nobody's. */
void orphans_release(uint32_t session);

#endif
