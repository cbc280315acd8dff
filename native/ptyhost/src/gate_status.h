/* The state of a file, with its birth and its mount. Not every C library has a function for them. */
#ifndef PTYHOST_GATE_STATUS_H
#define PTYHOST_GATE_STATUS_H

#include "gate_paths.h"

struct gate_status {
	struct gate_file file;
	uint64_t mount; /* 0 before Linux 5.8 */
	uint64_t size;  /* bytes */
	uint32_t links;
	mode_t mode;
};

/* Reads it for a name in a folder, or for the descriptor itself when the name is empty. A link is not followed. False with errno. */
bool gate_status_of(int folder, const char *name, struct gate_status *);
/* The number of the descriptor's mount that no later one gets; 0 before Linux 6.8. */
uint64_t gate_status_unique_mount(int fd);

#endif
