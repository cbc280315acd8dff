/* What the kernel knows of a file. Not every C library has a function for it. */
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

/* Of a name in a folder, or with an empty name of the descriptor itself. A link is not followed. False with errno. */
bool gate_status_of(int folder, const char *name, struct gate_status *);
/* The number of the descriptor's mount that no later one gets; 0 before Linux 6.8. */
uint64_t gate_status_unique_mount(int fd);

#endif
