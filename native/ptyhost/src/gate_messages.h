/* The messages of a gate to its terminal's owner, and those from it. gate.h has their fields. */
#ifndef PTYHOST_GATE_MESSAGES_H
#define PTYHOST_GATE_MESSAGES_H

#include "gate_state.h"

#include <stdbool.h>

/* Sends what has changed: at the end all of it, else the count of each question once a second. Returns the ms until the next time, or -1. */
int gate_messages_send(int channel, bool is_end);
/* Takes what the owner has sent. True when a question was answered. */
bool gate_messages_take(int channel);
/* A call that could not be judged. */
void gate_be_blind(enum gate_blind);
/* Reports whether the terminal has a gate; `reason` is for people. */
void gate_report_state(int channel, const char *word, const char *reason);

#endif
