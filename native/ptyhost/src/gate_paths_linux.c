#include "gate_paths.h"

#include "gate_mounts.h"
#include "gate_proc.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINKS_MAX = 40, NR_OPENAT2 = 437, NR_STATX_MASK = STATX_BASIC_STATS | STATX_BTIME | GATE_STATX_MNT_ID };

static int open_path(int folder, const char *path, int flags) { return openat(folder, path, O_PATH | O_CLOEXEC | flags); }

static int open_of_process(pid_t thread, const char *what)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/%d/%s", thread, what);
	return open_path(AT_FDCWD, name, 0);
}

static int open_folder_of(const struct gate_caller *caller)
{
	char what[32] = "cwd";
	if (caller->folder != AT_FDCWD)
		snprintf(what, sizeof what, "fd/%d", caller->folder);
	int fd = open_of_process(caller->thread, what);
	if (fd < 0 && errno == ENOENT && caller->folder != AT_FDCWD)
		errno = EBADF;
	return fd;
}

/* ---- places ---- */

static void remember_file(const struct statx *seen, struct gate_file *file)
{
	*file = (struct gate_file){
		.device = (uint64_t)seen->stx_dev_major << 32 | seen->stx_dev_minor,
		.number = seen->stx_ino,
		.has_birth = seen->stx_mask & STATX_BTIME,
		.born_s = seen->stx_btime.tv_sec,
		.born_ns = seen->stx_btime.tv_nsec,
	};
}

static bool look(const struct gate_place *place, struct statx *seen)
{
	int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*place->name ? 0 : AT_EMPTY_PATH);
	return statx(place->folder, place->name, flags, NR_STATX_MASK, seen) == 0;
}

bool gate_place_look(const struct gate_place *place, struct gate_file *file)
{
	struct statx seen;
	if (!look(place, &seen))
		return false;
	remember_file(&seen, file);
	return true;
}

/* Adds what is there to a place whose folder and name are known. */
static int fill(struct gate_place *place, pid_t thread)
{
	struct statx folder, seen;
	if (statx(place->folder, "", AT_EMPTY_PATH, NR_STATX_MASK, &folder) < 0)
		return errno;
	gate_mounts_place(place->folder, &folder, thread, place->shown, &place->spot);
	if (*place->name) {
		size_t shown = strlen(place->shown), path = strlen(place->spot.path), name = strlen(place->name);
		if (shown + name + 2 > sizeof place->shown || path + name + 2 > sizeof place->spot.path)
			return ENAMETOOLONG;
		snprintf(place->shown + shown, sizeof place->shown - shown, "%s%s", shown > 1 ? "/" : "", place->name);
		snprintf(place->spot.path + path, sizeof place->spot.path - path, "%s%s", path > 1 ? "/" : "", place->name);
	}
	place->exists = !*place->name || look(place, &seen);
	if (!place->exists)
		return errno == ENOENT ? 0 : errno;
	if (!*place->name)
		seen = folder;
	place->mode = seen.stx_mode;
	place->links = seen.stx_nlink;
	place->size = seen.stx_size;
	remember_file(&seen, &place->file);
	return 0;
}

void gate_place_close(struct gate_place *place) { fd_close(&place->folder); }

/* ---- one component after the other ---- */

/* What is left of a path, and where it goes on. Links are put in front of the rest. */
struct walk {
	pid_t thread;
	int root, at; /* descriptors; `at` is the walk's own */
	unsigned links;
	char rest[2 * PATH_MAX];
};

static bool go_to(struct walk *walk, int fd)
{
	if (fd < 0)
		return false;
	close(walk->at);
	walk->at = fd;
	return true;
}

static bool is_same_folder(int a, int b)
{
	struct statx left, right;
	if (statx(a, "", AT_EMPTY_PATH, NR_STATX_MASK, &left) < 0 || statx(b, "", AT_EMPTY_PATH, NR_STATX_MASK, &right) < 0)
		return false;
	return left.stx_ino == right.stx_ino && left.stx_dev_major == right.stx_dev_major &&
	       left.stx_dev_minor == right.stx_dev_minor && gate_mount_of(&left) == gate_mount_of(&right);
}

static int push(struct walk *walk, const char *front)
{
	char rest[sizeof walk->rest];
	if (snprintf(rest, sizeof rest, "%s/%s", front, walk->rest) >= (int)sizeof rest)
		return ENAMETOOLONG;
	memcpy(walk->rest, rest, strlen(rest) + 1);
	if (*rest == '/' && !go_to(walk, open_path(walk->root, ".", 0)))
		return errno;
	return 0;
}

/* In a folder where all may make files, such as /tmp, a link of another user is not followed: the kernel does not either (protected_symlinks). */
static bool is_foreign(int folder, int link)
{
	struct stat above, seen;
	if (fstat(folder, &above) < 0 || fstat(link, &seen) < 0)
		return true;
	bool is_shared = (above.st_mode & S_ISVTX) && (above.st_mode & S_IWOTH);
	return is_shared && seen.st_uid != above.st_uid && seen.st_uid != (uid_t)setfsuid((uid_t)-1);
}

/*
 * Goes on at a symbolic link. In /proc, `self` is the process of the call and not this one, and links to open files, folders and roots
 * lead to the thing itself.
 */
static int follow(struct walk *walk, int link, const char *name)
{
	char text[PATH_MAX];
	if (is_foreign(walk->at, link))
		return EACCES;
	if (++walk->links > LINKS_MAX)
		return ELOOP;
	bool is_in_proc = gate_proc_holds(walk->at), is_thread = strcmp(name, "thread-self") == 0;
	if (is_in_proc && (is_thread || strcmp(name, "self") == 0)) {
		int problem = gate_proc_self(walk->at, walk->thread, is_thread, text, sizeof text);
		return problem ? problem : push(walk, text);
	}
	ssize_t length = readlinkat(link, "", text, sizeof text - 1);
	if (length < 0)
		return errno;
	text[length] = 0;
	if (!is_in_proc)
		return push(walk, text);
	if (strncmp(text, "self/", 5) == 0)
		return push(walk, text);
	return go_to(walk, openat(walk->at, name, O_PATH | O_CLOEXEC)) ? 0 : errno;
}

static int go_up(struct walk *walk)
{
	if (is_same_folder(walk->at, walk->root))
		return 0;
	return go_to(walk, open_path(walk->at, "..", O_DIRECTORY)) ? 0 : errno;
}

/* Takes the next component from the rest. Returns false at the end of the path. */
static bool next_name(struct walk *walk, char *name, bool *is_last, int *problem)
{
	const char *from = walk->rest;
	while (*from == '/')
		from++;
	size_t length = strcspn(from, "/");
	if (length == 0)
		return false;
	if (length > NAME_MAX) {
		*problem = ENAMETOOLONG;
		return false;
	}
	memcpy(name, from, length);
	name[length] = 0;
	const char *rest = from + length;
	while (*rest == '/')
		rest++;
	*is_last = !*rest;
	memmove(walk->rest, rest, strlen(rest) + 1);
	return true;
}

static int step(struct walk *walk, const char *name)
{
	if (strcmp(name, ".") == 0)
		return 0;
	if (strcmp(name, "..") == 0)
		return go_up(walk);
	int fd = open_path(walk->at, name, O_NOFOLLOW);
	struct stat seen;
	if (fd < 0 || fstat(fd, &seen) < 0) {
		int problem = errno;
		if (fd >= 0)
			close(fd);
		return problem;
	}
	if (!S_ISLNK(seen.st_mode))
		return go_to(walk, fd) ? 0 : errno;
	int problem = follow(walk, fd, name);
	close(fd);
	return problem;
}

static bool is_link(int folder, const char *name)
{
	struct stat seen;
	return fstatat(folder, name, &seen, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(seen.st_mode);
}

/* Walks to the folder that holds the last component, and sets its name: empty when the path ends in a folder or a thing itself. */
static int walk_to_last(struct walk *walk, bool follows, char *last)
{
	char name[NAME_MAX + 1];
	bool is_last = false;
	int problem = 0;
	*last = 0;
	while (next_name(walk, name, &is_last, &problem)) {
		bool is_step = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
		if (is_last && !is_step && !(follows && is_link(walk->at, name))) {
			snprintf(last, NAME_MAX + 1, "%s", name);
			return 0;
		}
		problem = step(walk, name);
		if (problem)
			return problem;
	}
	return problem;
}

static int walk_path(const struct gate_caller *caller, const char *path, bool follows, struct gate_place *place)
{
	struct walk walk = {.thread = caller->thread, .at = -1};
	walk.root = open_of_process(caller->thread, "root");
	if (walk.root < 0)
		return errno;
	walk.at = *path == '/' ? open_path(walk.root, ".", 0) : open_folder_of(caller);
	int problem = walk.at < 0 ? errno : 0;
	snprintf(walk.rest, sizeof walk.rest, "%s", path);
	if (!problem)
		problem = walk_to_last(&walk, follows, place->name);
	close(walk.root);
	if (problem)
		fd_close(&walk.at);
	place->folder = walk.at;
	return problem;
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
	int base = is_absolute ? open_of_process(caller->thread, "root") : open_folder_of(caller);
	if (base < 0)
		return -1;
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | O_DIRECTORY,
		.resolve = RESOLVE_NO_MAGICLINKS | (is_absolute ? RESOLVE_IN_ROOT : RESOLVE_NO_SYMLINKS),
	};
	place->folder = name ? (int)syscall(NR_OPENAT2, base, folder, &how, sizeof how) : base;
	if (name)
		close(base);
	if (place->folder >= 0 && follows && is_link(place->folder, place->name))
		fd_close(&place->folder);
	return place->folder < 0 ? -1 : 0;
}

int gate_resolve(const struct gate_caller *caller, const char *path, bool follows, struct gate_place *place)
{
	place->folder = -1;
	if (!*path)
		return ENOENT;
	place->ends_with_slash = path[strlen(path) - 1] == '/';
	follows = follows || place->ends_with_slash;
	int problem = resolve_at_once(caller, path, follows, place);
	if (!problem)
		problem = fill(place, caller->thread);
	/* Only the walk knows the links of /proc. */
	if (problem < 0 || (!problem && place->spot.is_proc)) {
		gate_place_close(place);
		problem = walk_path(caller, path, follows, place);
		if (!problem)
			problem = fill(place, caller->thread);
	}
	if (!problem && place->ends_with_slash && place->exists && !S_ISDIR(place->mode))
		problem = ENOTDIR;
	if (problem)
		gate_place_close(place);
	return problem;
}

int gate_resolve_opened(const struct gate_caller *caller, struct gate_place *place)
{
	*place->name = 0;
	place->folder = open_folder_of(caller);
	int problem = place->folder < 0 ? errno : fill(place, caller->thread);
	if (problem)
		gate_place_close(place);
	return problem;
}
