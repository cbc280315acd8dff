#include "gate_walk.h"

#include "gate_proc.h"
#include "gate_status.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40 /* as the kernel */ };

/* The rest of a path, and the folder where it continues. The text of a link is put in front of the rest. */
struct walk {
	pid_t thread;
	int root, at; /* descriptors; `at` is the walk's own */
	unsigned links;
	bool needs_folder; /* a slash is behind the last component of the path, or of a link that it ends in */
	const char *rest;
};

/* The rest is at its end. A path and as many links as are followed fit in it. */
static char text[(LINKS_MAX + 1) * PATH_MAX];

int gate_open_path(int folder, const char *path, int flags) { return openat(folder, path, O_PATH | O_CLOEXEC | flags); }

int gate_open_of_process(pid_t thread, const char *what)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/%d/%s", thread, what);
	return gate_open_path(AT_FDCWD, name, 0);
}

int gate_open_folder_of(const struct gate_caller *caller)
{
	char what[32] = "cwd";
	if (caller->folder != AT_FDCWD)
		snprintf(what, sizeof what, "fd/%d", caller->folder);
	int fd = gate_open_of_process(caller->thread, what);
	if (fd < 0 && errno == ENOENT && caller->folder != AT_FDCWD)
		errno = EBADF;
	return fd;
}

bool gate_is_link(int folder, const char *name)
{
	struct stat seen;
	return fstatat(folder, name, &seen, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(seen.st_mode);
}

/* Returns 0 or an errno. */
static int go_to(struct walk *walk, int fd)
{
	if (fd < 0)
		return errno;
	close(walk->at);
	walk->at = fd;
	return 0;
}

static bool is_same_folder(int a, int b)
{
	struct gate_status one, other;
	if (!gate_status_of(a, "", &one) || !gate_status_of(b, "", &other))
		return false;
	return one.file.number == other.file.number && one.file.device == other.file.device && one.mount == other.mount;
}

/* ---- links ---- */

static int push(struct walk *walk, const char *link)
{
	size_t length = strlen(link), slash = *walk->rest ? 1 : 0;
	size_t start = (size_t)(walk->rest - text);
	if (length + slash > start)
		return ENAMETOOLONG;
	char *rest = text + start - length - slash;
	memcpy(rest, link, length);
	if (slash)
		rest[length] = '/';
	walk->rest = rest;
	return *link == '/' ? go_to(walk, fcntl(walk->root, F_DUPFD_CLOEXEC, 0)) : 0;
}

static bool are_links_protected(void)
{
	char setting = '1';
	int fd = open("/proc/sys/fs/protected_symlinks", O_RDONLY | O_CLOEXEC);
	bool is_read = fd >= 0 && read(fd, &setting, 1) == 1;
	fd_close(&fd);
	return !is_read || setting != '0';
}

/*
 * At the end of a path the kernel does not follow a link of another user that is in a folder where all may make files, such as /tmp, unless it is set
 * not to care (protected_symlinks).
 */
static bool is_foreign(int folder, int link)
{
	struct stat above, seen;
	if (fstat(folder, &above) < 0 || fstat(link, &seen) < 0)
		return true;
	bool is_shared = (above.st_mode & S_ISVTX) && (above.st_mode & S_IWOTH);
	return is_shared && seen.st_uid != above.st_uid && seen.st_uid != (uid_t)setfsuid((uid_t)-1) && are_links_protected();
}

/*
 * Goes on at a symbolic link. In /proc, `self` is the process of the call and not this one, and links to open files, folders and roots
 * lead to the thing itself.
 */
static int follow(struct walk *walk, int link, const char *name, bool is_last)
{
	char target[PATH_MAX];
	if (++walk->links > LINKS_MAX)
		return ELOOP;
	if (is_last && is_foreign(walk->at, link))
		return EACCES;
	bool is_magic = gate_proc_holds(walk->at), is_thread = strcmp(name, "thread-self") == 0;
	if (is_magic && (is_thread || strcmp(name, "self") == 0)) {
		int problem = gate_proc_self(walk->at, walk->thread, is_thread, target, sizeof target);
		return problem ? problem : push(walk, target);
	}
	ssize_t length = readlinkat(link, "", target, sizeof target - 1);
	/* The kernel follows a link of /proc also to what has no path that it could show. */
	if (length < 0 && !(is_magic && errno == ENAMETOOLONG))
		return errno;
	target[length < 0 ? 0 : length] = 0;
	if (!is_magic)
		return push(walk, target);
	if (strncmp(target, "self/", 5) == 0)
		return push(walk, target);
	return go_to(walk, openat(walk->at, name, O_PATH | O_CLOEXEC));
}

/* ---- steps ---- */

/* Takes the next component from the rest. Returns false at the end of the path. */
static bool next_name(struct walk *walk, char *name, bool *is_last)
{
	const char *from = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(from, "/");
	if (length == 0)
		return false;
	memcpy(name, from, length);
	name[length] = 0;
	walk->rest = from + length + strspn(from + length, "/");
	*is_last = !*walk->rest;
	walk->needs_folder = walk->needs_folder || (*is_last && from[length]);
	return true;
}

static int go_up(struct walk *walk)
{
	return go_to(walk, gate_open_path(walk->at, is_same_folder(walk->at, walk->root) ? "." : "..", O_DIRECTORY));
}

static int step(struct walk *walk, const char *name, bool is_last)
{
	/* The kernel refuses it in what is no folder, and in a folder that the process may not search. */
	if (strcmp(name, ".") == 0)
		return go_to(walk, gate_open_path(walk->at, ".", O_DIRECTORY));
	if (strcmp(name, "..") == 0)
		return go_up(walk);
	int fd = gate_open_path(walk->at, name, O_NOFOLLOW);
	struct stat seen;
	if (fd < 0 || fstat(fd, &seen) < 0) {
		int problem = errno;
		fd_close(&fd);
		return problem;
	}
	if (!S_ISLNK(seen.st_mode))
		return go_to(walk, fd);
	int problem = follow(walk, fd, name, is_last);
	close(fd);
	return problem;
}

/* Walks to the folder that holds the last component, and sets its name: empty when the path ends in a folder or a thing itself. */
static int walk_to_last(struct walk *walk, enum gate_end end, char *last)
{
	static char name[PATH_MAX];
	bool is_last = false;
	*last = 0;
	while (next_name(walk, name, &is_last)) {
		bool is_step = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
		bool follows = end == END_FOLLOWED || (end == END_LINK && walk->needs_folder);
		if (is_last && !is_step && strlen(name) <= NAME_MAX && !(follows && gate_is_link(walk->at, name))) {
			memcpy(last, name, strlen(name) + 1);
			return 0;
		}
		int problem = step(walk, name, is_last);
		if (problem)
			return problem;
	}
	return 0;
}

int gate_walk(const struct gate_caller *caller, const char *path, enum gate_end end, struct gate_place *place)
{
	struct walk walk = {.thread = caller->thread, .at = -1};
	size_t length = strlen(path);
	if (length >= PATH_MAX)
		return ENAMETOOLONG;
	char *rest = text + sizeof text - length - 1;
	memcpy(rest, path, length + 1);
	walk.rest = rest;
	walk.root = gate_open_of_process(caller->thread, "root");
	if (walk.root < 0)
		return errno;
	walk.at = *path == '/' ? fcntl(walk.root, F_DUPFD_CLOEXEC, 0) : gate_open_folder_of(caller);
	int problem = walk.at < 0 ? errno : walk_to_last(&walk, end, place->name);
	close(walk.root);
	if (problem)
		fd_close(&walk.at);
	place->folder = walk.at;
	place->ends_with_slash = walk.needs_folder;
	return problem;
}
