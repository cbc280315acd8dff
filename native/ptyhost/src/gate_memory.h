/* Reads the memory of the programs behind a gate. */
#ifndef PTYHOST_GATE_MEMORY_H
#define PTYHOST_GATE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Where this process may not read itself, because it is no ancestor of the program (Yama), the keeper at the other end reads for it. */
void gate_memory_init(int keeper);
/* False with errno. */
bool gate_memory_read(pid_t thread, uint64_t at, void *to, size_t length);
/* A text with its zero. False with errno: ENAMETOOLONG when it does not end within `max` bytes. */
bool gate_memory_text(pid_t thread, uint64_t at, char *to, size_t max);
/* The keeper's side: answers one request. False when the supervisor has gone. */
bool gate_memory_serve(int supervisor);

#endif
