/* Starts sessions: opens the terminal, starts the keeper, and handles its reports. */
#ifndef PTYHOST_SESSION_START_H
#define PTYHOST_SESSION_START_H

#include "session.h"

struct session_start {
	uint32_t id, request;
	uint16_t cols, rows;
	uint32_t ring_bytes;
	char *cwd;
	char **argv, **envp;
	char *ptmx; /* NULL: the system's */
	char *gate; /* the table of its gate; NULL or empty: it has none */
	const uint8_t *meta;
	size_t meta_length;
};

void sessions_init(uint64_t nofile_soft);
/* The answer comes later, as SPAWNED. On failure errno and the stage are answered at once. */
void session_spawn(const struct session_start *);

#endif
