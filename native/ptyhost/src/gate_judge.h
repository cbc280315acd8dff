/* Judges a resolved call: is there a question about it? */
#ifndef PTYHOST_GATE_JUDGE_H
#define PTYHOST_GATE_JUDGE_H

#include "gate_state.h"
#include "gate_trap.h"

/* The question that the call belongs to; NULL for a call that is free. Of two questions about one call the one that is not allowed comes first. */
struct gate_question *gate_judge(struct gate_trap *);
/* The error that a call has whatever the gate says; 0 for one that would do something, and -1 for one that changes nothing. */
int gate_known_end(const struct gate_trap *);

#endif
