/* What a person would be asked: one question for a job, a verb and an area, with the number of its calls. */
#ifndef PTYHOST_GATE_QUESTIONS_H
#define PTYHOST_GATE_QUESTIONS_H

#include "gate_calls.h"

#include <stdbool.h>
#include <sys/types.h>

enum gate_blind { BLIND_UNREAD, BLIND_UNRESOLVED, BLIND_URING, BLIND_KINDS };

void gate_questions_init(int channel);
void gate_ask(pid_t thread, enum gate_verb, const char *path);
/* A call that could not be judged. */
void gate_be_blind(enum gate_blind);
/* Sends what has changed, at the end all of it, else each question once a second. Returns the ms until it should be called again, or -1 when all has been sent. */
int gate_questions_send(bool is_end);
/* Reports whether the terminal has a gate; `reason` is for people. */
void gate_report_state(int channel, const char *word, const char *reason);

#endif
