/* The processes behind a gate, as /proc describes them. */
#ifndef PTYHOST_GATE_PROCESS_H
#define PTYHOST_GATE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { COMMAND_LINE_BYTES = 8192 };

/* Its command line, shortened, with a NUL after each word. Returns the length: 0 when it has ended. */
size_t gate_process_line(pid_t, char *line, size_t max);
/* Sets its name (PROGRAM_BYTES), and its command line for persons (COMMAND_BYTES). */
void gate_process_describe(pid_t, char *program, char *command);
enum gate_namespace { GATE_USERS, GATE_MOUNTS, GATE_NETWORK };
/* The thread is in another namespace of this kind than this process. */
bool gate_process_has_own(pid_t, enum gate_namespace);
/* A thread may have changed its namespaces. */
void gate_process_forget(void);
/* When the thread began, in ns since 1970, to within 10 ms; 0 when it has ended. */
int64_t gate_process_start(pid_t);

#endif
