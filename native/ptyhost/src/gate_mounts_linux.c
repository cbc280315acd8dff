#include "gate_mounts.h"

#include "system.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A mount as /proc/PID/mountinfo lists it. */
struct mount {
	uint64_t id, device;
	bool is_proc;
	time_t read_at;
	char root[PATH_MAX], point[PATH_MAX];
};

enum { MOUNTS_KEPT = 16, LINE_MAX_BYTES = 3 * PATH_MAX, KNOWN_S = 1 /* others may mount something else under a known number */ };
static struct mount mounts[MOUNTS_KEPT];
static size_t next_mount;

static time_t now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec;
}

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

static bool read_line(char *line, uint64_t id, struct mount *mount)
{
	char *fields[5], *at = line;
	for (size_t i = 0; i < 5; i++) {
		fields[i] = at;
		at = strchr(at, ' ');
		if (!at)
			return false;
		*at++ = 0;
	}
	if (strtoull(fields[0], NULL, 10) != id)
		return false;
	unsigned major, minor;
	if (sscanf(fields[2], "%u:%u", &major, &minor) != 2)
		return false;
	const char *type = strstr(at, " - ");
	mount->id = id;
	mount->device = (uint64_t)major << 32 | minor;
	mount->is_proc = type && strncmp(type + 3, "proc ", 5) == 0;
	mount->read_at = now_s();
	copy_unescaped(mount->root, fields[3]);
	copy_unescaped(mount->point, fields[4]);
	return true;
}

static bool read_mount(const char *of, uint64_t id, struct mount *mount)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/%s/mountinfo", of);
	FILE *list = fopen(name, "re");
	static char line[LINE_MAX_BYTES];
	bool is_found = false;
	while (list && !is_found && fgets(line, sizeof line, list))
		is_found = read_line(line, id, mount);
	if (list)
		fclose(list);
	return is_found;
}

/* NULL for a mount that neither this process nor the caller's sees. */
static const struct mount *find_mount(uint64_t id, pid_t thread)
{
	struct mount *kept = NULL;
	for (size_t i = 0; i < MOUNTS_KEPT; i++)
		if (mounts[i].id == id)
			kept = &mounts[i];
	if (kept && id && now_s() - kept->read_at <= KNOWN_S)
		return kept;
	if (!kept) {
		kept = &mounts[next_mount];
		next_mount = (next_mount + 1) % MOUNTS_KEPT;
	}
	char process[24];
	snprintf(process, sizeof process, "%d", thread);
	if (id && (read_mount("self", id, kept) || read_mount(process, id, kept)))
		return kept;
	kept->id = 0;
	return NULL;
}

/* What of a path is below a mount point; NULL when it is not. */
static const char *below(const char *path, const char *point)
{
	size_t length = strlen(point);
	if (length == 1)
		return path;
	if (strncmp(path, point, length) != 0 || (path[length] != '/' && path[length] != 0))
		return NULL;
	return path + length;
}

bool gate_mounts_append(char *path, const char *name)
{
	size_t end = strlen(path);
	const char *slash = end == 1 ? "" : "/";
	if (end + strlen(slash) + strlen(name) < PATH_MAX) {
		snprintf(path + end, PATH_MAX - end, "%s%s", slash, name);
		return true;
	}
	static const char cut[] = "/…";
	if (end + sizeof cut <= PATH_MAX)
		memcpy(path + end, cut, sizeof cut);
	return false;
}

static ssize_t read_link(int fd, char *path)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(name, path, PATH_MAX - 1);
	path[length < 0 ? 0 : length] = 0;
	return length;
}

/* The kernel does not show a path that is too long: finds the nearest folder above that has a shorter one. -1 when there is none. */
static int open_above(int fd, char *path)
{
	int at = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	while (at >= 0 && read_link(at, path) < 0) {
		int next = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(at);
		at = next;
	}
	return at;
}

static bool is_deleted(const char *path, const struct gate_status *seen)
{
	static const char end[] = " (deleted)";
	size_t length = strlen(path);
	return seen->links == 0 && length > sizeof end && strcmp(path + length - (sizeof end - 1), end) == 0;
}

/* Sets the spot of a path that is shown. */
static void find_spot(const char *shown, uint64_t mount_id, pid_t thread, struct gate_spot *spot)
{
	const struct mount *mount = find_mount(mount_id, thread);
	const char *rest = mount ? below(shown, mount->point) : NULL;
	if (!rest) { /* it keeps the path that it shows, in no file system that the table knows */
		spot->device = UINT64_MAX;
		snprintf(spot->path, sizeof spot->path, "%s", shown);
		return;
	}
	spot->device = mount->device;
	spot->is_proc = mount->is_proc;
	const char *root = strcmp(mount->root, "/") == 0 ? "" : mount->root;
	if (*root && strcmp(rest, "/") == 0)
		rest = "";
	size_t front = strlen(root), back = strlen(rest);
	if (front + back >= sizeof spot->path)
		front = 0;
	memcpy(spot->path, root, front);
	memcpy(spot->path + front, rest, back + 1);
	if (!*spot->path)
		memcpy(spot->path, "/", 2);
}

/* Something whose path is too long is judged by the folder above it. */
static void place_cut(int fd, pid_t thread, char *shown, struct gate_spot *spot)
{
	struct gate_status seen;
	int above = open_above(fd, shown);
	*spot = (struct gate_spot){.device = UINT64_MAX};
	if (above >= 0 && gate_status_of(above, "", &seen))
		find_spot(shown, seen.mount, thread, spot);
	fd_close(&above);
	spot->is_cut = true;
	gate_mounts_append(shown, "…");
	gate_mounts_append(spot->path, "…");
}

void gate_mounts_place(int fd, const struct gate_status *seen, pid_t thread, char *shown, struct gate_spot *spot)
{
	*spot = (struct gate_spot){.device = 0};
	if (read_link(fd, shown) < 0)
		place_cut(fd, thread, shown, spot);
	else if (*shown == '/' && !is_deleted(shown, seen)) /* not a pipe, a socket, memory */
		find_spot(shown, seen->mount, thread, spot);
}

/* Adds the part of a path that is not there yet. It cannot have an upward step. */
static bool append_missing(struct gate_spot *spot, const char *rest)
{
	char name[PATH_MAX];
	for (rest += strspn(rest, "/"); *rest; rest += strspn(rest, "/")) {
		size_t length = strcspn(rest, "/");
		memcpy(name, rest, length);
		name[length] = 0;
		rest += length;
		if (strcmp(name, ".") == 0)
			continue;
		if (strcmp(name, "..") == 0 || !gate_mounts_append(spot->path, name))
			return false;
	}
	return true;
}

bool gate_spot_of(const char *path, struct gate_spot *spot)
{
	char known[PATH_MAX], real[PATH_MAX], shown[PATH_MAX];
	size_t length = strlen(path);
	if (*path != '/' || length >= PATH_MAX)
		return false;
	memcpy(known, path, length + 1);
	while (length > 1 && !realpath(known, real)) {
		while (length > 1 && known[length - 1] != '/')
			length--;
		while (length > 1 && known[length - 1] == '/')
			length--;
		known[length] = 0;
	}
	if (length <= 1 && !realpath("/", real))
		return false;
	int fd = open(real, O_PATH | O_CLOEXEC);
	struct gate_status seen;
	if (fd < 0)
		return false;
	bool is_seen = gate_status_of(fd, "", &seen);
	if (is_seen)
		gate_mounts_place(fd, &seen, getpid(), shown, spot);
	close(fd);
	return is_seen && append_missing(spot, path + length);
}
