/* Input to the program: complete, in order, and without delaying other sessions. */
#ifndef PTYHOST_SESSION_INPUT_H
#define PTYHOST_SESSION_INPUT_H

#include "session.h"

struct numbered_input {
	uint64_t writer, number;
	const uint8_t *data;
	size_t length;
};

void session_write(struct session *, uint32_t request, const uint8_t *data, size_t length);
/* Like session_write, but each input at most once. */
void session_write_once(struct session *, uint32_t request, const struct numbered_input *);
/* Drops input that the program has not read; the answer contains the number of bytes. */
void session_drop_unread(struct session *, uint32_t request);
void session_flush_input(struct session *);
/* Answers every pending write with DROPPED and returns how many bytes went with them. */
uint64_t session_drop_input(struct session *);
void session_input_init(struct session *);

#endif
