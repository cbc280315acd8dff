#include "gate_mounts.h"

#include "gate_mountinfo.h"
#include "gate_state.h"
#include "system.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mount {
	struct gate_mount seen;
	uint64_t unique; /* its number that no later mount gets */
	bool is_own;     /* the supervisor sees it at the same path */
	bool is_inner;   /* it does not see this file system at all */
	int64_t read_at;
	char shown[PATH_MAX]; /* where a person finds its root */
};

enum { MOUNTS_KEPT = 16, KNOWN_S = 1 /* another process may move the mounts of a program */ };
static struct mount mounts[MOUNTS_KEPT];
static size_t next_mount;
static int64_t changed_at; /* the mounts of some program */

static bool has_id(const struct gate_mount *mount, void *id) { return mount->id == *(uint64_t *)id; }

/* ---- what a person sees of a mount that only a program sees ---- */

struct search {
	const struct gate_mount *inner;
	size_t length; /* of the root of the best mount until now */
	bool has_device; /* some mount has its file system */
	char shown[PATH_MAX];
};

static bool is_there(const char *path, uint64_t id)
{
	struct gate_status seen;
	return gate_status_of(AT_FDCWD, path, &seen) && seen.mount == id;
}

/* Of the mounts of the same file system the one whose root is nearest, if nothing is mounted over it. It takes none, so that all are read. */
static bool looks_nearer(const struct gate_mount *own, void *context)
{
	struct search *search = context;
	search->has_device = search->has_device || own->device == search->inner->device;
	const char *rest = own->device == search->inner->device ? gate_path_below(search->inner->root, own->root) : NULL;
	size_t length = strlen(own->root), point = strcmp(own->point, "/") == 0 ? 0 : strlen(own->point);
	if (!rest || length < search->length || point + strlen(rest) + 1 > sizeof search->shown)
		return false;
	char shown[PATH_MAX];
	memcpy(shown, own->point, point);
	memcpy(shown + point, rest, strlen(rest) + 1);
	const char *path = *shown ? shown : "/";
	if (is_there(path, own->id)) {
		search->length = length;
		memmove(search->shown, path, strlen(path) + 1);
	}
	return false;
}

static void find_shown(struct mount *inner)
{
	static struct search search;
	static struct gate_mount own;
	search = (struct search){.inner = &inner->seen};
	gate_mountinfo_find("self", looks_nearer, &search, &own);
	inner->is_inner = !search.has_device;
	memcpy(inner->shown, *search.shown ? search.shown : inner->seen.point, PATH_MAX);
}

/* ---- mounts that are known ---- */

/* A later mount gets the number of one that has gone: the supervisor's own are known until one of them changes. */
static void forget_changed(void)
{
	static int list = -1;
	if (list < 0)
		list = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	struct pollfd polled = {.fd = list, .events = POLLPRI};
	if (list < 0 || (poll(&polled, 1, 0) > 0 && polled.revents & (POLLPRI | POLLERR)))
		memset(mounts, 0, sizeof mounts);
}

static struct mount *find_known(uint64_t id, uint64_t unique)
{
	int64_t oldest = gate_now_s() - KNOWN_S;
	for (size_t i = 0; i < MOUNTS_KEPT; i++) {
		struct mount *kept = &mounts[i];
		bool is_same = kept->is_own ? kept->seen.id == id : unique && kept->unique == unique && changed_at < oldest && kept->read_at >= oldest;
		if (is_same)
			return kept;
	}
	return NULL;
}

void gate_mounts_change(void) { changed_at = gate_now_s(); }

/* NULL for a mount that neither this process nor the caller's sees. */
static const struct mount *find_mount(int fd, uint64_t id, pid_t thread)
{
	forget_changed();
	struct mount *kept = find_known(id, 0);
	uint64_t unique = kept ? 0 : gate_status_unique_mount(fd);
	if (!kept)
		kept = find_known(id, unique);
	if (kept || !id)
		return kept;
	kept = &mounts[next_mount];
	next_mount = (next_mount + 1) % MOUNTS_KEPT;
	char process[24];
	snprintf(process, sizeof process, "%d", thread);
	kept->is_own = gate_mountinfo_find("self", has_id, &id, &kept->seen);
	bool is_found = kept->is_own || gate_mountinfo_find(process, has_id, &id, &kept->seen);
	kept->unique = is_found ? unique : 0;
	kept->read_at = gate_now_s();
	if (is_found && !kept->is_own)
		find_shown(kept);
	return is_found ? kept : NULL;
}

static void show_as_person(const struct mount *mount, const char *rest, char *shown)
{
	static char path[2 * PATH_MAX];
	const char *front = strcmp(mount->shown, "/") == 0 && *rest ? "" : mount->shown;
	if (snprintf(path, sizeof path, "%s%s", front, strcmp(rest, "/") == 0 ? "" : rest) < PATH_MAX)
		memcpy(shown, *path ? path : "/", *path ? strlen(path) + 1 : 2);
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
static void find_spot(int fd, char *shown, uint64_t mount_id, pid_t thread, struct gate_spot *spot)
{
	const struct mount *mount = find_mount(fd, mount_id, thread);
	const char *rest = mount ? gate_path_below(shown, mount->seen.point) : NULL;
	if (!rest) { /* it keeps the path that it shows, in no file system that the table knows */
		spot->device = UINT64_MAX;
		snprintf(spot->path, sizeof spot->path, "%s", shown);
		return;
	}
	spot->device = mount->seen.device;
	spot->is_proc = mount->seen.is_proc;
	spot->is_inner = !mount->is_own && mount->is_inner;
	const char *root = strcmp(mount->seen.root, "/") == 0 ? "" : mount->seen.root;
	if (*root && strcmp(rest, "/") == 0)
		rest = "";
	size_t front = strlen(root), back = strlen(rest);
	if (front + back >= sizeof spot->path)
		front = 0;
	memcpy(spot->path, root, front);
	memcpy(spot->path + front, rest, back + 1);
	if (!*spot->path)
		memcpy(spot->path, "/", 2);
	if (!mount->is_own)
		show_as_person(mount, rest, shown);
}

/* Something whose path is too long is judged by the folder above it. */
static void place_cut(int fd, pid_t thread, char *shown, struct gate_spot *spot)
{
	struct gate_status seen;
	int above = open_above(fd, shown);
	*spot = (struct gate_spot){.device = UINT64_MAX};
	if (above >= 0 && gate_status_of(above, "", &seen))
		find_spot(above, shown, seen.mount, thread, spot);
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
		find_spot(fd, shown, seen->mount, thread, spot);
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
