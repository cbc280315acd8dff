#include "gate_area.h"

#include "gate_process.h"
#include "proctree.h"

#include <linux/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool gate_is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);
	if (length == 1 && *folder == '/')
		return true;
	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The first part of the path below the home, two parts where programs keep many things; else the first three parts. */
static void area_by_place(const char *path, char *area)
{
	const char *home = getenv("HOME");
	size_t start = home && *home == '/' && home[1] && gate_is_below(path, home) && path[strlen(home)] ? strlen(home) : 0;
	int parts = start ? 1 : 3;
	static const char *const crowded[] = {"/.config", "/.local", "/.cache"};
	for (size_t i = 0; start && i < sizeof crowded / sizeof *crowded; i++)
		if (gate_is_below(path + start, crowded[i]))
			parts = 2;
	const char *end = path + start;
	for (; *end && parts > 0; parts--)
		end += 1 + strcspn(end + 1, "/");
	size_t length = (size_t)(end - path);
	memmove(area, path, length);
	area[length] = 0;
}

static bool is_in(const char *path, const char *folder, size_t length)
{
	return strncmp(path, folder, length) == 0 && path[length] == '/' && !strchr(path + length + 1, '/');
}

/*
 * The longest argument of the process's command that the path is below: `rm -rf build` is about build. Of several files in one folder it is that
 * folder: `rm a b c` is one question. Empty without one.
 */
static void area_by_words(pid_t pid, const char *path, char *area)
{
	static char line[COMMAND_LINE_BYTES], folder[PATH_MAX], full[2 * PATH_MAX], real[PATH_MAX];
	char name[64];
	size_t length = gate_process_line(pid, line, sizeof line);
	snprintf(name, sizeof name, "/proc/%d/cwd", pid);
	ssize_t end = readlink(name, folder, sizeof folder - 1);
	folder[end < 0 ? 0 : end] = 0;
	const char *last = strrchr(path, '/');
	size_t parent = last ? (size_t)(last - path) : 0, siblings = 0;
	*area = 0;
	for (const char *at = line + strlen(line) + 1; at < line + length; at += strlen(at) + 1) {
		if (!*at || *at == '-')
			continue;
		snprintf(full, sizeof full, "%s%s%s", *at == '/' ? "" : folder, *at == '/' ? "" : "/", at);
		if (!realpath(full, real) || strcmp(real, "/") == 0)
			continue;
		siblings += is_in(real, path, parent);
		if (gate_is_below(path, real) && strlen(real) > strlen(area))
			snprintf(area, PATH_MAX, "%s", real);
	}
	if (siblings > 1 && strcmp(area, path) == 0)
		area[parent] = 0;
}

static bool has_home(const char *folder)
{
	const char *home = getenv("HOME");
	return home && gate_is_below(home, folder);
}

/* `find keep -exec rm {} ';'` is about keep, though each rm is about one file. A parent that names the whole home says too little. */
static void area_by_parent(const struct gate_question *asked, char *area)
{
	static char wider[PATH_MAX];
	struct process_stat process, parent;
	if (process_stat(asked->pid, &process) < 0 || process_stat(process.parent, &parent) < 0 || parent.group != asked->group)
		return;
	area_by_words(parent.pid, asked->path, wider);
	if (*wider && !has_home(wider))
		memcpy(area, wider, strlen(wider) + 1);
}

void gate_area_find(const struct gate_question *asked, bool is_named, char *area)
{
	area_by_words(asked->pid, asked->path, area);
	area_by_parent(asked, area);
	if (!*area || !is_named)
		area_by_place(asked->path, area);
}
