/* Parses the options of a container. */
#include "container.h"

#include <stdlib.h>
#include <string.h>

enum { LIMITS_MAX = 8 };

static bool add_place(enum place_kind kind, char **words, struct container_options *read)
{
	if (!words[1] || !words[2] || words[2][0] != '/' || read->place_count == PLACES_MAX)
		return false;
	read->places[read->place_count++] = (struct place){.kind = kind, .what = words[1], .to = words[2]};
	return true;
}

/* Reads an option of two words; false for an unknown one. */
static bool read_plain(char **words, struct container_options *read)
{
	const char *name = words[0], *value = words[1];
	if (strcmp(name, "--stage") == 0)
		read->stage = value;
	else if (strcmp(name, "--hostname") == 0)
		read->hostname = value;
	else if (strcmp(name, "--network") == 0)
		read->has_network = strcmp(value, "on") == 0;
	else if (strcmp(name, "--stage-bytes") == 0)
		read->stage_bytes = strtoull(value, NULL, 10);
	else if (strcmp(name, "--root-bytes") == 0)
		read->root_bytes = strtoull(value, NULL, 10);
	else if (strcmp(name, "--overlay") == 0 && read->overlay_count < OVERLAYS_MAX)
		read->overlays[read->overlay_count++] = value;
	else
		return false;
	return true;
}

bool container_options_read(char **argv, struct container_options *read)
{
	static const char *const kinds[] = {
		[PLACE_READ] = "--read", [PLACE_WRITE] = "--write", [PLACE_LAYER] = "--layer", [PLACE_FOLDER] = "--folder", [PLACE_LINK] = "--link",
	};
	static char *limits[2 * LIMITS_MAX + 1];
	size_t limit_count = 0;
	while (argv[0]) {
		size_t kind = 0;
		while (kind < sizeof kinds / sizeof *kinds && strcmp(argv[0], kinds[kind]) != 0)
			kind++;
		if (kind < sizeof kinds / sizeof *kinds) {
			if (!add_place((enum place_kind)kind, argv, read))
				return false;
			argv += 3;
			continue;
		}
		if (!argv[1])
			return false;
		if (!read_plain(argv, read)) {
			if (limit_count == 2 * LIMITS_MAX)
				return false;
			limits[limit_count++] = argv[0];
			limits[limit_count++] = argv[1];
		}
		argv += 2;
	}
	limits[limit_count] = (char *)"--";
	/* The wall's parser reports which of the rest are invalid. */
	return wall_options_read(limits, &read->limits) != NULL && read->stage && read->root_bytes;
}
