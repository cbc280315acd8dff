/* What the programs of a terminal have made and linked through its gate: bounded sets of files, the oldest of which are forgotten first. */
#ifndef PTYHOST_GATE_MADE_H
#define PTYHOST_GATE_MADE_H

#include "gate_paths.h"

#include <stdbool.h>

void gate_made_add(const struct gate_file *);
bool gate_made_has(const struct gate_file *);

/* Files from elsewhere that have got a further name. Writing to that name changes the file at its first one. */
void gate_linked_add(const struct gate_file *);
bool gate_linked_has(const struct gate_file *);

/* A call that makes a file at this place goes on now: its file is looked for before the next question. Takes the place's folder. */
void gate_made_expect(struct gate_place *);
/* Adds what has appeared at the expected places since. */
void gate_made_look(void);

#endif
