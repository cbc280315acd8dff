/* The places that the gate knows, and its decision. */
#ifndef PTYHOST_GATE_TABLE_H
#define PTYHOST_GATE_TABLE_H

#include "gate_calls.h"
#include "gate_paths.h"

#include <stdbool.h>
#include <stddef.h>

/* The word of a row says what is asked about in that folder. The longest row that contains a place decides; without one it is GATE_ELSEWHERE. */
enum gate_area {
	GATE_FREE,      /* `free`: nothing */
	GATE_KEPT,      /* `kept`: nothing, because what is deleted and overwritten there is kept; see gate_keep.h */
	GATE_ELSEWHERE, /* `elsewhere`: changes of what the terminal has not made; new files are free */
	GATE_GUARDED,   /* `guarded`: that, and new files; and the removal, the move and the mode of the folders above it */
	GATE_WHOLE,     /* `whole`: its own removal and move, beside what the rest of the table says about the place */
};

/*
 * Reads the rows from a file and resolves their folders. A path with `*` at its end stands for all names that begin so. Rows that are too many or
 * unreadable are left out.
 */
void gate_table_read(int fd);

struct gate_effect {
	enum gate_verb verb;
	const struct gate_place *place;
	bool is_new;  /* nothing was there before the call */
	bool is_made; /* this terminal has made what is there */
	bool is_linked; /* it is a file from elsewhere that this terminal has given a further name */
};

/* Would a person be asked about it? */
bool gate_asks(const struct gate_effect *);
/* Nothing that happens to files there is asked about, whatever their origin. */
bool gate_is_free(const struct gate_place *);
/* What is deleted and overwritten there is kept. */
bool gate_is_kept(const struct gate_place *);

#endif
