/* The area of a question: the folder or file that a person is asked about. */
#ifndef PTYHOST_GATE_AREA_H
#define PTYHOST_GATE_AREA_H

#include "gate_state.h"

#include <stdbool.h>

/* The path is the folder, or below it. */
bool gate_is_below(const char *path, const char *folder);
/* Sets the area (PATH_MAX) of a question whose process and path are known: as its command names it if `is_named`, else the first parts of the path. */
void gate_area_find(const struct gate_question *, bool is_named, char *area);

#endif
