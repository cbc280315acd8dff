/* Decides whether the program has taken the input that was written last. */
#ifndef PTYHOST_SESSION_PROOF_H
#define PTYHOST_SESSION_PROOF_H

#include "session.h"

/* Sets `consumed` once the sample proves it. */
void watch_judge_consumed(struct watch *, const struct facts *);
void watch_before_write(struct session *, int signal_number);
void watch_after_write(struct session *);
void watch_output(struct session *, const uint8_t *data, size_t length);

#endif
