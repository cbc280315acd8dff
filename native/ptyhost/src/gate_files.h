/* The file that a call was judged by: what is at its place now may be another one. */
#ifndef PTYHOST_GATE_FILES_H
#define PTYHOST_GATE_FILES_H

#include "gate_paths.h"

#include <stdbool.h>

bool gate_file_is_judged(int fd, const struct gate_place *);
/* The file that was judged, as O_PATH. -1 with errno. */
int gate_file_hold(const struct gate_place *);

#endif
