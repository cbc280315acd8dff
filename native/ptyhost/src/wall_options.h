/* The options of the wall (wall.h). A process that enters a container takes them as well. */
#ifndef PTYHOST_WALL_OPTIONS_H
#define PTYHOST_WALL_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

struct wall_options {
	uint64_t memory, processes, cpu_seconds, file_size; /* 0: no limit */
	const char *relay; /* NULL: none */
	const char *container, *cwd; /* the program runs in that container and folder; NULL: in its own sandbox */
	char **argv;       /* the options themselves, */
	size_t count;      /* and how many words they take */
};

/* Reads options up to "--" and returns the next word, or NULL when they are invalid. */
char **wall_options_read(char **argv, struct wall_options *);

#endif
