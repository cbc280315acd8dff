/* The request to start a program: read whole before anything is started. */
#ifndef PTYHOST_REQUEST_SPAWN_H
#define PTYHOST_REQUEST_SPAWN_H

#include "bytes.h"

#include <stdint.h>

/* Answers, whatever the request holds. */
void request_spawn(uint32_t id, struct reader *);
/* In words, what an errno says of a request. */
const char *request_problem(int problem);

#endif
