/*
 * The root of a container: a file system in memory with mounts in it.
 *
 * Mounts use descriptors and follow no links on the way: nothing in a layer can redirect a later mount. A folder from outside is mounted with its
  * submounts, read-only as a whole (Linux 5.12).
 */
#include "container.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The headers of our build systems are older than the kernels that this runs on. */
enum {
	OPEN_TREE_CALL = 428, MOVE_MOUNT_CALL = 429, MOUNT_SETATTR_CALL = 442,
	TREE_CLONE = 1, TREE_RECURSIVE = 0x8000, EMPTY_PATH = 0x1000,
	FROM_EMPTY_PATH = 0x4, TO_EMPTY_PATH = 0x40,
};
enum { READ_ONLY = 1, NO_SUID = 2, NO_DEVICES = 4, NO_EXEC = 8 };
struct attributes { uint64_t set, clear, propagation, userns; };

enum { NAME_BYTES = 4096 };

bool container_complain(const char *what, const char *name)
{
	fprintf(stderr, "cannot mount %s %s: %s\n", what, name, strerror(errno));
	return false;
}

/* ---- places inside ---- */

/* Goes one component down and creates it if missing. A link is refused. */
static int step_into(int folder, const char *name, mode_t mode)
{
	if (mkdirat(folder, name, 0755) == 0)
		fchmodat(folder, name, mode, 0);
	int next = openat(folder, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
	close(folder);
	return next;
}

/* Opens the folder at `path`, which starts with /; with `leave_last` the parent folder. `last` is the last component. -1 with errno. */
static int open_place(int root, const char *path, mode_t mode, bool leave_last, char *last)
{
	int at = fcntl(root, F_DUPFD_CLOEXEC, 0);
	char copy[NAME_BYTES], *rest = copy;
	if (strlen(path) >= sizeof copy) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(copy, path);
	for (char *part; at >= 0 && (part = strsep(&rest, "/"));) {
		if (*part == 0)
			continue;
		if (leave_last && (!rest || !*rest)) {
			strcpy(last, part);
			break;
		}
		at = step_into(at, part, !rest || !*rest ? mode : 0755);
	}
	return at;
}

/* Opens a mount point: a folder or an empty file. */
static int open_target(int root, const char *path, bool is_folder)
{
	char name[NAME_BYTES] = ".";
	int parent = open_place(root, path, 0755, !is_folder, name);
	if (is_folder || parent < 0)
		return parent;
	int made = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (made >= 0)
		close(made);
	int target = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	close(parent);
	return target;
}

static bool attach(int tree, int target)
{
	bool is_attached = tree >= 0 && target >= 0 &&
	                   syscall(MOVE_MOUNT_CALL, tree, "", target, "", FROM_EMPTY_PATH | TO_EMPTY_PATH) == 0;
	int error = errno;
	if (tree >= 0)
		close(tree);
	if (target >= 0)
		close(target);
	errno = error;
	return is_attached;
}

/* Mounts a path from outside, with its submounts. */
static bool bring(int root, const char *from, const char *to, uint64_t attributes)
{
	struct stat stat_buffer;
	if (stat(from, &stat_buffer) < 0)
		return false;
	int tree = (int)syscall(OPEN_TREE_CALL, AT_FDCWD, from, TREE_CLONE | TREE_RECURSIVE | O_CLOEXEC);
	struct attributes given = {.set = attributes};
	if (tree >= 0 && syscall(MOUNT_SETATTR_CALL, tree, "", EMPTY_PATH | TREE_RECURSIVE, &given, sizeof given) < 0) {
		close(tree);
		return false;
	}
	return attach(tree, open_target(root, to, S_ISDIR(stat_buffer.st_mode)));
}

static bool mount_new(int root, const char *type, const char *to, const char *options)
{
	int target = open_target(root, to, true);
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", target);
	bool is_mounted = target >= 0 && mount(type, path, type, MS_NOSUID | MS_NOEXEC | (*type == 'p' ? MS_NODEV : 0), options) == 0;
	int error = errno;
	close(target);
	errno = error;
	return is_mounted;
}

static bool put(int root, const struct container_options *options, const struct place *place)
{
	char path[NAME_BYTES], name[NAME_BYTES];
	int folder;
	bool is_linked;
	switch (place->kind) {
	case PLACE_READ: return bring(root, place->what, place->to, READ_ONLY | NO_SUID | NO_DEVICES);
	case PLACE_WRITE: return bring(root, place->what, place->to, NO_SUID | NO_DEVICES);
	case PLACE_LAYER:
		snprintf(path, sizeof path, "%s/%s/merged", options->stage, place->what);
		return bring(root, path, place->to, NO_SUID | NO_DEVICES);
	case PLACE_FOLDER:
		folder = open_place(root, place->to, (mode_t)strtoul(place->what, NULL, 8), false, name);
		close(folder);
		return folder >= 0;
	case PLACE_LINK:
		folder = open_place(root, place->to, 0755, true, name);
		is_linked = folder >= 0 && symlinkat(place->what, folder, name) == 0;
		close(folder);
		return is_linked;
	}
	return false;
}

/* ---- what every container has ---- */

static bool mount_devices(int root, const char *shared_size)
{
	static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
	static const char *const links[][2] = {
		{"pts/ptmx", "/dev/ptmx"},          {"/proc/self/fd", "/dev/fd"},       {"/proc/self/fd/0", "/dev/stdin"},
		{"/proc/self/fd/1", "/dev/stdout"}, {"/proc/self/fd/2", "/dev/stderr"},
	};
	/* A folder in memory instead of a file of the root, so that it can be made read-only without its submounts. */
	if (!mount_new(root, "tmpfs", "/dev", "mode=0755,size=65536"))
		return container_complain("memory at", "/dev");
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
		char path[32];
		snprintf(path, sizeof path, "/dev/%s", devices[i]);
		if (!bring(root, path, path, NO_SUID | NO_EXEC))
			return container_complain("the device", path);
	}
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (!put(root, NULL, &(struct place){.kind = PLACE_LINK, .what = links[i][0], .to = links[i][1]}))
			return container_complain("the link", links[i][1]);
	if (!mount_new(root, "devpts", "/dev/pts", "newinstance,ptmxmode=0666,mode=0620") || !mount_new(root, "tmpfs", "/dev/shm", shared_size))
		return container_complain("terminals in", "/dev/pts");
	int folder = open_place(root, "/dev", 0755, false, NULL);
	struct attributes fixed = {.set = READ_ONLY};
	bool is_fixed = folder >= 0 && syscall(MOUNT_SETATTR_CALL, folder, "", EMPTY_PATH, &fixed, sizeof fixed) == 0;
	close(folder);
	return is_fixed || container_complain("read-only", "/dev");
}

/* Root outside may write kernel settings; no process inside may. */
static bool mount_processes(int root)
{
	static const char *const settings[] = {"sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr"};
	if (!mount_new(root, "proc", "/proc", NULL))
		return container_complain("processes in", "/proc");
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		char from[64], to[64];
		snprintf(to, sizeof to, "/proc/%s", settings[i]);
		snprintf(from, sizeof from, "/proc/self/fd/%d/proc/%s", root, settings[i]);
		if (access(from, F_OK) == 0 && !bring(root, from, to, READ_ONLY | NO_SUID | NO_DEVICES | NO_EXEC))
			return container_complain("read-only", to);
	}
	return true;
}

static void raise_loopback(void)
{
	struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	/* Without the loopback interface, programs inside can only not reach each other by address. */
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) < 0)
		errno = 0;
	if (fd >= 0)
		close(fd);
}

bool container_root_enter(const struct container_options *options)
{
	char new_root[NAME_BYTES], size[64];
	snprintf(new_root, sizeof new_root, "%s/root", options->stage);
	snprintf(size, sizeof size, "mode=0755,size=%llu", (unsigned long long)options->root_bytes);
	if ((mkdir(new_root, 0755) < 0 && errno != EEXIST) || mount("agentpty", new_root, "tmpfs", MS_NOSUID | MS_NODEV, size) < 0)
		return container_complain("memory at", new_root);
	int root = open(new_root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < options->place_count; i++)
		if (!put(root, options, &options->places[i]))
			return container_complain(options->places[i].what, options->places[i].to);
	char shared_size[64];
	snprintf(shared_size, sizeof shared_size, "mode=1777,size=%llu", (unsigned long long)options->root_bytes);
	if (!mount_devices(root, shared_size) || !mount_processes(root))
		return false;
	if (!options->has_network)
		raise_loopback();
	if (options->hostname && sethostname(options->hostname, strlen(options->hostname)) < 0)
		return container_complain("the name", options->hostname);
	/* Places the new root above the old one, then unmounts the old one. */
	if (fchdir(root) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return container_complain("the root", new_root);
	return true;
}
