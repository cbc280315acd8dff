/* The request to start a program. It is read completely before anything is started. */
#ifndef PTYHOST_REQUEST_SPAWN_H
#define PTYHOST_REQUEST_SPAWN_H

#include "bytes.h"

#include <stdint.h>

/* Answers every request, whatever it contains. */
void request_spawn(uint32_t id, struct reader *);
/* Describes an errno of a request in words. */
const char *request_problem(int problem);

#endif
