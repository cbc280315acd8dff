#include "gate_trap.h"

#include "gate_files.h"
#include "gate_identity.h"
#include "gate_made.h"
#include "gate_memory.h"
#include "gate_process.h"
#include "gate_rights.h"
#include "gate_table.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { NR_OPENAT2 = 437, NR_FCHMODAT2 = 452, ATTRIBUTE_BYTES_MAX = 1 << 16 };

/* ---- files ---- */

static struct gate_result done(int result) { return (struct gate_result){.problem = result < 0 ? errno : 0, .fd = -1}; }
static struct gate_result failed(int problem) { return (struct gate_result){.problem = problem, .fd = -1}; }

static struct gate_result given(int fd, uint64_t flags)
{
	if (fd < 0)
		return failed(errno);
	return (struct gate_result){.fd = fd, .is_close_on_exec = flags & O_CLOEXEC};
}

static const char *name_of(int fd)
{
	static char name[32];
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	return name;
}

static uint64_t argument(const struct gate_trap *trap, int index) { return trap->notice->data.args[index]; }

static void note_made(const struct gate_place *place)
{
	struct gate_file file;
	if (gate_place_look(place, &file))
		gate_made_add(&file);
}

/* ---- the calls ---- */

static struct gate_result delete_file(const struct gate_trap *trap)
{
	return done(unlinkat(trap->place.folder, trap->place.name, gate_trap_removes_folder(trap) ? AT_REMOVEDIR : 0));
}

static struct gate_result move_file(const struct gate_trap *trap)
{
	unsigned flags = trap->notice->data.nr == SYS_renameat2 ? (unsigned)argument(trap, 4) : 0;
	return done((int)syscall(SYS_renameat2, trap->place.folder, trap->place.name, trap->place2.folder, trap->place2.name, flags));
}

static struct gate_result link_file(const struct gate_trap *trap)
{
	int file = gate_file_hold(&trap->place);
	if (file < 0)
		return failed(errno);
	struct gate_result result = done(linkat(AT_FDCWD, name_of(file), trap->place2.folder, trap->place2.name, AT_SYMLINK_FOLLOW));
	close(file);
	return result;
}

static int open_there(const struct gate_trap *trap, uint64_t flags, mode_t mode)
{
	const struct gate_place *place = &trap->place;
	if (!*place->name)
		return openat(place->folder, ".", (int)flags, mode);
	return openat(place->folder, place->name, (int)flags, mode);
}

static struct gate_result open_existing(const struct gate_trap *trap)
{
	uint64_t flags = (trap->how.flags & ~(uint64_t)(O_CREAT | O_EXCL | O_TRUNC)) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	if (trap->how.flags & O_CREAT && trap->how.flags & O_EXCL)
		return failed(EEXIST);
	int fd = open_there(trap, flags, 0);
	if (fd < 0)
		return failed(errno);
	if (!gate_file_is_judged(fd, &trap->place)) {
		close(fd);
		return failed(ESTALE);
	}
	if (!(trap->how.flags & O_NONBLOCK))
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	/* It may be opened for reading only and be emptied. */
	if (trap->how.flags & O_TRUNC && (trap->how.flags & O_ACCMODE ? ftruncate(fd, 0) : truncate(name_of(fd), 0)) < 0) {
		int problem = errno;
		close(fd);
		return failed(problem);
	}
	return given(fd, trap->how.flags);
}

static struct gate_result open_new(const struct gate_trap *trap, mode_t mask)
{
	mode_t mode = (mode_t)trap->how.mode & ~mask;
	bool is_nameless = (trap->how.flags & O_TMPFILE) == O_TMPFILE;
	uint64_t flags = trap->how.flags | O_CLOEXEC | O_NOFOLLOW | (is_nameless ? 0 : O_EXCL);
	return given(open_there(trap, flags, mode), trap->how.flags);
}

static struct gate_result write_file(const struct gate_trap *trap, mode_t mask)
{
	if (trap->call->flags != NO_ARGUMENT || trap->call->is_creat) {
		bool is_nameless = (trap->how.flags & O_TMPFILE) == O_TMPFILE;
		return trap->place.exists && !is_nameless ? open_existing(trap) : open_new(trap, mask);
	}
	int fd = open_there(trap, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
	if (fd < 0)
		return failed(errno);
	struct gate_result result = gate_file_is_judged(fd, &trap->place) ? done(ftruncate(fd, (off_t)argument(trap, 1))) : failed(ESTALE);
	close(fd);
	return result;
}

static struct gate_result make(const struct gate_trap *trap, mode_t mask)
{
	const struct gate_place *place = &trap->place;
	int first = trap->call->path + 1;
	if (trap->call->is_symlink) {
		char target[PATH_MAX];
		if (!gate_memory_text((pid_t)trap->notice->pid, argument(trap, 0), target, sizeof target))
			return failed(errno);
		return done(symlinkat(target, place->folder, place->name));
	}
	mode_t mode = (mode_t)argument(trap, first) & ~mask;
	if (trap->call->is_mkdir)
		return done(mkdirat(place->folder, place->name, mode));
	return done(mknodat(place->folder, place->name, mode, (dev_t)argument(trap, first + 1)));
}

static struct gate_result set_attribute(const struct gate_trap *trap, const char *file)
{
	static char value[ATTRIBUTE_BYTES_MAX];
	char name[XATTR_NAME_MAX + 1];
	pid_t thread = (pid_t)trap->notice->pid;
	if (!gate_memory_text(thread, argument(trap, 1), name, sizeof name))
		return failed(errno == ENAMETOOLONG ? ERANGE : errno);
	if (trap->call->is_remove)
		return done(removexattr(file, name));
	size_t size = (size_t)argument(trap, 3);
	if (size > sizeof value)
		return failed(E2BIG);
	if (size && !gate_memory_read(thread, argument(trap, 2), value, size))
		return failed(EFAULT);
	return done(setxattr(file, name, value, size, (int)argument(trap, 4)));
}

static struct gate_result set_flags(const struct gate_trap *trap, const char *file)
{
	unsigned long request = (unsigned long)(uint32_t)argument(trap, 1);
	union {
		int flags;
		struct fsxattr attributes;
	} value;
	size_t size = request == FS_IOC_FSSETXATTR ? sizeof value.attributes : sizeof value.flags;
	if (!gate_memory_read((pid_t)trap->notice->pid, argument(trap, 2), &value, size))
		return failed(EFAULT);
	int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct gate_result result = fd < 0 ? failed(errno) : done(ioctl(fd, request, &value));
	if (fd >= 0)
		close(fd);
	return result;
}

static struct gate_result change(const struct gate_trap *trap)
{
	int held = gate_file_hold(&trap->place);
	if (held < 0)
		return failed(errno);
	const char *file = name_of(held);
	const struct gate_call *call = trap->call;
	int first = call->path == OPENED_FILE ? 1 : call->path + 1;
	struct gate_result result;
	switch (call->change) {
	case CHANGE_MODE:
		result = S_ISLNK(trap->place.mode) ? failed(EOPNOTSUPP) : done(chmod(file, (mode_t)argument(trap, first) & 07777));
		break;
	case CHANGE_OWNER:
		result = done(fchownat(held, "", (uid_t)argument(trap, first), (gid_t)argument(trap, first + 1), AT_EMPTY_PATH));
		break;
	case CHANGE_ATTRIBUTE:
		result = set_attribute(trap, file);
		break;
	case CHANGE_FLAGS:
		result = set_flags(trap, file);
		break;
	default:
		result = failed(ENOSYS);
	}
	close(held);
	return result;
}

bool gate_can_perform(const struct gate_trap *trap)
{
	const struct gate_place *place = &trap->place;
	switch (trap->call->verb) {
	case GATE_WRITE: /* opening a pipe waits for its other end, and a terminal is opened for its session */
		return place->exists ? S_ISREG(place->mode) || (trap->how.flags & O_TMPFILE) == O_TMPFILE : true;
	case GATE_MODE:
		return trap->call->change != CHANGE_NEWER;
	case GATE_MOUNT:
	case GATE_CONNECT:
	case GATE_SIGNAL:
	case GATE_TRACE:
	case GATE_HIDDEN:
	case GATE_URING:
		return false;
	default:
		return true;
	}
}

static struct gate_result perform(struct gate_trap *trap, mode_t mask)
{
	switch (trap->call->verb) {
	case GATE_DELETE:
		return delete_file(trap);
	case GATE_MOVE:
		return move_file(trap);
	case GATE_WRITE:
		return write_file(trap, mask);
	case GATE_CREATE:
		return make(trap, mask);
	case GATE_LINK:
		return link_file(trap);
	case GATE_MODE:
		return change(trap);
	default:
		return failed(ENOSYS);
	}
}

/* ---- with the rights of the program ---- */

struct visit {
	struct gate_trap *trap;
	mode_t mask;
	struct gate_result result;
};

static void perform_visit(void *context)
{
	struct visit *visit = context;
	visit->result = perform(visit->trap, visit->mask);
}

static struct gate_result perform_inside(struct gate_trap *trap, mode_t mask)
{
	struct visit visit = {trap, mask, failed(EACCES)};
	return gate_rights_run_inside((pid_t)trap->notice->pid, perform_visit, &visit) ? visit.result : failed(EACCES);
}

/* The user who opens a file of /proc decides what it does. The numbers of owners are those of the program's namespace. */
static struct gate_result perform_as_program(struct gate_trap *trap, mode_t mask)
{
	pid_t thread = (pid_t)trap->notice->pid;
	bool is_proc = trap->place.spot.is_proc, has_owners = trap->call->change == CHANGE_OWNER || trap->call->change == CHANGE_ATTRIBUTE;
	if (is_proc && strncmp(trap->place.spot.path, "/sys/net/", 9) == 0 && gate_process_has_own(thread, GATE_NETWORK))
		return failed(EACCES); /* it would be a setting of this process's network */
	if ((is_proc && geteuid() == 0) || ((is_proc || has_owners) && gate_process_has_own(thread, GATE_USERS)))
		return perform_inside(trap, mask);
	struct gate_result result = perform(trap, mask);
	bool is_refused = result.problem == EPERM || result.problem == EACCES;
	return is_refused && gate_process_has_own(thread, GATE_USERS) ? perform_inside(trap, mask) : result;
}

static bool makes(const struct gate_trap *trap)
{
	enum gate_verb verb = trap->call->verb;
	return verb == GATE_CREATE || (verb == GATE_WRITE && (!trap->place.exists || (trap->how.flags & O_TMPFILE) == O_TMPFILE));
}

struct gate_result gate_perform(struct gate_trap *trap)
{
	bool needs_mask = makes(trap);
	struct gate_result result = perform_as_program(trap, needs_mask ? gate_mask_of((pid_t)trap->notice->pid) : 0);
	if (!result.problem && needs_mask && *trap->place.name && !gate_is_free(&trap->place))
		note_made(&trap->place);
	return result;
}
