#include "gate_paths.h"

#include "gate_mounts.h"
#include "gate_walk.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NR_OPENAT2 = 437, TRIES_MAX = 100 };

/* ---- places ---- */

bool gate_place_look(const struct gate_place *place, struct gate_file *file)
{
	struct gate_status status;
	if (!gate_status_of(place->folder, place->name, &status))
		return false;
	*file = status.file;
	return true;
}

/* Adds what is there to a place whose folder and name are known. */
static int fill(struct gate_place *place, pid_t thread)
{
	struct gate_status status;
	if (!gate_status_of(place->folder, "", &status))
		return errno;
	gate_mounts_place(place->folder, &status, thread, place->shown, &place->spot);
	if (*place->name) {
		gate_mounts_append(place->shown, place->name);
		place->spot.is_cut = !gate_mounts_append(place->spot.path, place->name) || place->spot.is_cut;
	}
	place->exists = !*place->name || gate_status_of(place->folder, place->name, &status);
	if (!place->exists)
		return errno == ENOENT ? 0 : errno;
	place->mode = status.mode;
	place->links = status.links;
	place->size = status.size;
	place->file = status.file;
	return 0;
}

void gate_place_close(struct gate_place *place) { fd_close(&place->folder); }

void gate_place_go_outside(struct gate_place *place)
{
	char path[PATH_MAX];
	size_t length = strlen(place->shown), name = strlen(place->name);
	struct gate_status inside, outside;
	if (place->folder < 0 || place->spot.is_cut || length <= name)
		return;
	snprintf(path, sizeof path, "%.*s", (int)(name && length > name + 1 ? length - name - 1 : name ? 1 : length), place->shown);
	int folder = gate_open_path(AT_FDCWD, path, O_NOFOLLOW);
	if (folder >= 0 && gate_status_of(place->folder, "", &inside) && gate_status_of(folder, "", &outside) &&
	    inside.file.number == outside.file.number && inside.file.device == outside.file.device) {
		fd_close(&place->folder);
		place->folder = folder;
		folder = -1;
	}
	fd_close(&folder);
}

/* A path with an upward step is refused with EAGAIN while any process of the machine renames or mounts something. */
static int open_how(int base, const char *path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC | flags, .resolve = resolve};
	int fd = -1;
	for (int i = 0; i < TRIES_MAX && fd < 0 && (i == 0 || errno == EAGAIN); i++)
		fd = (int)syscall(NR_OPENAT2, base, path, &how, sizeof how);
	return fd;
}

/* ---- all at once ---- */

static bool has_upward_step(const char *path)
{
	for (const char *at = strstr(path, ".."); at; at = strstr(at + 2, ".."))
		if ((at == path || at[-1] == '/') && (at[2] == '/' || at[2] == 0))
			return true;
	return false;
}

/*
 * One call of the kernel for the folder of the last component. It knows less than the walk, and fails where that matters: a relative path with a link or
 * an upward step, a link of /proc, a last component that is a link to be followed. -1 then.
 */
static int resolve_at_once(const struct gate_caller *caller, const char *path, bool follows, struct gate_place *place)
{
	char folder[PATH_MAX];
	size_t length = strlen(path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	size_t name = length;
	while (name > 0 && path[name - 1] != '/')
		name--;
	bool is_absolute = *path == '/';
	if (length - name > NAME_MAX || length == name || (!is_absolute && has_upward_step(path)))
		return -1;
	memcpy(place->name, path + name, length - name);
	place->name[length - name] = 0;
	if (strcmp(place->name, ".") == 0 || strcmp(place->name, "..") == 0)
		return -1;
	snprintf(folder, sizeof folder, "%.*s", (int)name, path);
	int base = is_absolute ? gate_open_of_process(caller->thread, "root") : gate_open_folder_of(caller);
	if (base < 0)
		return -1;
	uint64_t resolve = RESOLVE_NO_MAGICLINKS | (is_absolute ? RESOLVE_IN_ROOT : RESOLVE_NO_SYMLINKS);
	place->folder = name ? open_how(base, folder, O_DIRECTORY, resolve) : base;
	if (name)
		close(base);
	if (place->folder >= 0 && follows && gate_is_link(place->folder, place->name))
		fd_close(&place->folder);
	return place->folder < 0 ? -1 : 0;
}

int gate_resolve(const struct gate_caller *caller, const char *path, enum gate_end end, struct gate_place *place)
{
	place->folder = -1;
	if (!*path)
		return ENOENT;
	place->ends_with_slash = path[strlen(path) - 1] == '/';
	bool follows = end == END_FOLLOWED || (end == END_LINK && place->ends_with_slash);
	int problem = resolve_at_once(caller, path, follows, place);
	if (!problem)
		problem = fill(place, caller->thread);
	/* Only the walk knows the links of /proc. */
	if (problem < 0 || (!problem && place->spot.is_proc)) {
		gate_place_close(place);
		problem = gate_walk(caller, path, end, place);
		if (!problem)
			problem = fill(place, caller->thread);
	}
	if (!problem && end != END_NAME && place->ends_with_slash && place->exists && !S_ISDIR(place->mode))
		problem = ENOTDIR;
	if (problem)
		gate_place_close(place);
	return problem;
}

/* ---- with restrictions ---- */

struct restricted {
	const struct gate_caller *caller;
	uint64_t flags; /* RESOLVE_ flags of openat2 */
	enum gate_end end;
	unsigned links;
};

static int open_restricted(const struct restricted *restricted, const char *path, uint64_t flags)
{
	bool is_below_root = *path == '/' && !(restricted->flags & RESOLVE_IN_ROOT);
	if (is_below_root && restricted->flags & RESOLVE_BENEATH) {
		errno = EXDEV;
		return -1;
	}
	int base = is_below_root ? gate_open_of_process(restricted->caller->thread, "root") : gate_open_folder_of(restricted->caller);
	int fd = base < 0 ? -1 : open_how(base, path, flags, restricted->flags | (is_below_root ? RESOLVE_IN_ROOT : 0));
	fd_close(&base);
	return fd;
}

/* A file is performed on by its folder and its name, if its path still leads to it. */
static void set_opened(struct gate_place *place, int fd)
{
	char path[PATH_MAX], link[64];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	path[length < 0 ? 0 : length] = 0;
	char *name = strrchr(path, '/');
	struct gate_status there, here;
	place->folder = fd;
	*place->name = 0;
	if (!name || !name[1] || strlen(name + 1) > NAME_MAX)
		return;
	*name++ = 0;
	int folder = gate_open_path(AT_FDCWD, *path ? path : "/", O_DIRECTORY);
	if (folder >= 0 && gate_status_of(folder, name, &there) && gate_status_of(fd, "", &here) && there.file.number == here.file.number &&
	    there.file.device == here.file.device) {
		memcpy(place->name, name, strlen(name) + 1);
		place->folder = folder;
		folder = fd;
	}
	fd_close(&folder);
}

static int find_restricted(struct restricted *, const char *path, struct gate_place *);

static bool ends_with_step(const char *path)
{
	size_t end = strlen(path);
	while (end > 0 && path[end - 1] == '/')
		end--;
	size_t dots = end;
	while (dots > 0 && end - dots < 2 && path[dots - 1] == '.')
		dots--;
	return end == 0 || (dots < end && (dots == 0 || path[dots - 1] == '/'));
}

/* The folder of its last component: it is not there, is a link to what is not there, or is a name alone. */
static int find_in_folder(struct restricted *restricted, const char *path, struct gate_place *place)
{
	char folder[PATH_MAX], target[PATH_MAX], next[2 * PATH_MAX];
	size_t end = strlen(path);
	while (end > 0 && path[end - 1] == '/')
		end--;
	size_t start = end;
	while (start > 0 && path[start - 1] != '/')
		start--;
	if (end - start > NAME_MAX)
		return ENAMETOOLONG;
	snprintf(folder, sizeof folder, "%.*s", start ? (int)start : 1, start ? path : ".");
	snprintf(place->name, sizeof place->name, "%.*s", (int)(end - start), path + start);
	place->folder = open_restricted(restricted, folder, O_DIRECTORY);
	if (place->folder < 0)
		return errno;
	bool follows = restricted->end == END_FOLLOWED || (restricted->end == END_LINK && path[end]);
	ssize_t length = follows ? readlinkat(place->folder, place->name, target, sizeof target - 1) : -1;
	if (length < 0)
		return 0;
	fd_close(&place->folder);
	target[length] = 0;
	place->ends_with_slash = place->ends_with_slash || (length > 0 && target[length - 1] == '/');
	enum { LINKS_MAX = 40 };
	if (++restricted->links > LINKS_MAX)
		return ELOOP;
	snprintf(next, sizeof next, "%s%s%s", *target == '/' ? "" : folder, *target == '/' ? "" : "/", target);
	return strlen(next) < PATH_MAX ? find_restricted(restricted, next, place) : ENAMETOOLONG;
}

static int find_restricted(struct restricted *restricted, const char *path, struct gate_place *place)
{
	if (restricted->end == END_NAME && !ends_with_step(path))
		return find_in_folder(restricted, path, place);
	int fd = open_restricted(restricted, path, restricted->end == END_FOLLOWED ? 0 : O_NOFOLLOW);
	if (fd < 0)
		return errno == ENOENT ? find_in_folder(restricted, path, place) : errno;
	set_opened(place, fd);
	return 0;
}

int gate_resolve_restricted(const struct gate_caller *caller, const char *path, enum gate_end end, uint64_t restrictions, struct gate_place *place)
{
	struct restricted restricted = {.caller = caller, .flags = restrictions, .end = end};
	place->folder = -1;
	if (!*path)
		return ENOENT;
	place->ends_with_slash = path[strlen(path) - 1] == '/';
	int problem = find_restricted(&restricted, path, place);
	if (!problem)
		problem = fill(place, caller->thread);
	/* `self` would be this process. */
	if (!problem && place->spot.is_proc)
		problem = EXDEV;
	if (problem)
		gate_place_close(place);
	return problem;
}

int gate_resolve_opened(const struct gate_caller *caller, struct gate_place *place)
{
	*place->name = 0;
	place->folder = gate_open_folder_of(caller);
	int problem = place->folder < 0 ? errno : fill(place, caller->thread);
	if (problem)
		gate_place_close(place);
	return problem;
}
