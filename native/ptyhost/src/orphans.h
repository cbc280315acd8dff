/*
 * Processes that ptyhost has adopted because their keeper has ended: children of ptyhost that are not keepers.
 *
 * Each belongs to the session of its keeper, and so do its own children after its end. Processes that a keeper left alone on
  * request belong to no session. Their numbers stay valid until ptyhost reaps them, so they cannot be confused.
 */
#ifndef PTYHOST_ORPHANS_H
#define PTYHOST_ORPHANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Assigns every unknown child of ptyhost to this session, unless its terminal or its session identifies another one. 0: no
 * session. */
void orphans_claim(uint32_t session);
/* To be called for a reaped child. True when it was an orphan; its own children are then to be claimed for the same session. */
bool orphan_ended(pid_t);
void orphans_due(uint32_t session);
/* To be called once for all children reaped together. */
void orphans_claim_due(void);
/* The orphans of one session, at most `max`. */
size_t orphans_of(uint32_t session, pid_t *found, size_t max);
/* To be called at the end of a session: its remaining orphans belong to no session. */
void orphans_release(uint32_t session);

#endif
