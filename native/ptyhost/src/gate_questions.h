/* What a person is asked, or would be: one question for a job, a verb and an area, with the number of its calls. */
#ifndef PTYHOST_GATE_QUESTIONS_H
#define PTYHOST_GATE_QUESTIONS_H

#include "gate_state.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Finds the question that a call belongs to, or asks a new one, and counts the call. The question of a journal is answered: noted. */
struct gate_question *gate_ask(pid_t thread, enum gate_verb, const char *path);
/* NULL for one that is not known any more. */
struct gate_question *gate_question_find(uint32_t id);
/* The calls that are held for it go on or fail. */
void gate_question_answer(struct gate_question *, enum gate_answer);
/* Open questions whose time is over become expired. Returns the ms until the next one, or -1. */
int gate_questions_expire(void);
/* Withdraws open questions whose job has ended. Returns whether any is open still. */
bool gate_questions_withdraw(void);
/* Forgets answered questions of jobs that have ended. */
void gate_questions_sweep(void);

#endif
