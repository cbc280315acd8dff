#include "gate_mountinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 3 * PATH_MAX };

/* mountinfo writes blanks, tabs, newlines and backslashes as three octal digits. */
static void copy_unescaped(char *to, const char *from)
{
	size_t length = 0;
	for (; *from && length < PATH_MAX - 1; length++) {
		if (from[0] == '\\' && from[1] && from[2] && from[3]) {
			to[length] = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
			from += 4;
		} else {
			to[length] = *from++;
		}
	}
	to[length] = 0;
}

static bool read_line(char *line, struct gate_mount *mount)
{
	char *fields[5], *at = line;
	for (size_t i = 0; i < 5; i++) {
		fields[i] = at;
		at = strchr(at, ' ');
		if (!at)
			return false;
		*at++ = 0;
	}
	unsigned major, minor;
	if (sscanf(fields[2], "%u:%u", &major, &minor) != 2)
		return false;
	const char *type = strstr(at, " - ");
	mount->id = strtoull(fields[0], NULL, 10);
	mount->device = (uint64_t)major << 32 | minor;
	mount->is_proc = type && strncmp(type + 3, "proc ", 5) == 0;
	copy_unescaped(mount->root, fields[3]);
	copy_unescaped(mount->point, fields[4]);
	return true;
}

bool gate_mountinfo_find(const char *process, bool (*takes)(const struct gate_mount *, void *), void *context, struct gate_mount *mount)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/%s/mountinfo", process);
	FILE *list = fopen(name, "re");
	static char line[LINE_MAX_BYTES];
	bool is_found = false;
	while (list && !is_found && fgets(line, sizeof line, list))
		is_found = read_line(line, mount) && takes(mount, context);
	if (list)
		fclose(list);
	return is_found;
}

const char *gate_path_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);
	if (length == 1)
		return path;
	if (strncmp(path, folder, length) != 0 || (path[length] != '/' && path[length] != 0))
		return NULL;
	return path + length;
}
