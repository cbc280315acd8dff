#include "wall_options.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *text, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return errno == 0 && *text >= '0' && *text <= '9' && *end == 0;
}

char **wall_options_read(char **argv, struct wall_options *options)
{
	*options = (struct wall_options){.argv = argv};
	for (; argv[0] && strcmp(argv[0], "--") != 0; argv += 2) {
		if (!argv[1])
			return NULL;
		bool is_right = true;
		if (strcmp(argv[0], "--memory") == 0)
			is_right = read_number(argv[1], &options->memory);
		else if (strcmp(argv[0], "--processes") == 0)
			is_right = read_number(argv[1], &options->processes);
		else if (strcmp(argv[0], "--cpu-seconds") == 0)
			is_right = read_number(argv[1], &options->cpu_seconds);
		else if (strcmp(argv[0], "--file-size") == 0)
			is_right = read_number(argv[1], &options->file_size);
		else if (strcmp(argv[0], "--relay") == 0)
			options->relay = argv[1];
		else if (strcmp(argv[0], "--container") == 0)
			options->container = argv[1];
		else if (strcmp(argv[0], "--cwd") == 0)
			options->cwd = argv[1];
		else
			is_right = strcmp(argv[0], "--write") == 0;
		if (!is_right)
			return NULL;
	}
	if (!argv[0])
		return NULL;
	options->count = (size_t)(argv - options->argv);
	return argv + 1;
}
