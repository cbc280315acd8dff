#include "gate_arguments.h"

#include "gate_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { NR_OPENAT2 = 437, NR_FCHMODAT2 = 452, HOW_BYTES_MIN = 24, HOW_BYTES_MAX = 4096 };

/* The flags of a call, of which it takes no others. */
static const struct {
	int number, argument;
	uint32_t flags;
} taken[] = {
	{SYS_unlinkat, 2, AT_REMOVEDIR},
	{SYS_renameat2, 4, RENAME_NOREPLACE | RENAME_EXCHANGE | RENAME_WHITEOUT},
	{SYS_linkat, 4, AT_SYMLINK_FOLLOW | AT_EMPTY_PATH},
	{SYS_fchownat, 4, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH},
	{NR_FCHMODAT2, 3, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH},
	{SYS_setxattr, 4, XATTR_CREATE | XATTR_REPLACE},
	{SYS_lsetxattr, 4, XATTR_CREATE | XATTR_REPLACE},
	{SYS_fsetxattr, 4, XATTR_CREATE | XATTR_REPLACE},
};

static int wrong_kind(mode_t mode)
{
	switch (mode & S_IFMT) {
	case 0:
	case S_IFREG:
	case S_IFCHR:
	case S_IFBLK:
	case S_IFIFO:
	case S_IFSOCK:
		return 0;
	case S_IFDIR:
		return EPERM;
	default:
		return EINVAL;
	}
}

int gate_wrong_arguments(const struct seccomp_notif *notice)
{
	const __u64 *arguments = notice->data.args;
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (taken[i].number == notice->data.nr && (uint32_t)arguments[taken[i].argument] & ~taken[i].flags)
			return EINVAL;
	switch (notice->data.nr) {
	case SYS_renameat2:
		return arguments[4] & RENAME_EXCHANGE && arguments[4] & (RENAME_NOREPLACE | RENAME_WHITEOUT) ? EINVAL : 0;
	case SYS_truncate:
		return (int64_t)arguments[1] < 0 ? EINVAL : 0;
#ifdef SYS_mknod
	case SYS_mknod:
		return wrong_kind((mode_t)arguments[1]);
#endif
	case SYS_mknodat:
		return wrong_kind((mode_t)arguments[2]);
	default:
		return 0;
	}
}

/* The kernel checks the structure before the path: with an empty one it does nothing else. */
static int check_how(const void *how, size_t size)
{
	int fd = (int)syscall(NR_OPENAT2, AT_FDCWD, "", how, size);
	if (fd >= 0)
		close(fd);
	return fd < 0 && errno != ENOENT ? errno : 0;
}

int gate_read_open_how(pid_t thread, uint64_t at, uint64_t size, struct open_how *how)
{
	static unsigned char bytes[HOW_BYTES_MAX];
	if (size < HOW_BYTES_MIN || size > sizeof bytes)
		return size < HOW_BYTES_MIN ? EINVAL : E2BIG;
	if (!gate_memory_read(thread, at, bytes, size))
		return errno;
	memset(how, 0, sizeof *how);
	memcpy(how, bytes, size < sizeof *how ? size : sizeof *how);
	return check_how(bytes, size);
}

/* A name that is in no file system begins with a zero. */
bool gate_read_socket_path(const struct seccomp_notif *notice, char path[PATH_MAX])
{
	struct sockaddr_un address = {.sun_family = AF_UNSPEC};
	size_t length = (uint32_t)notice->data.args[2];
	if (length <= sizeof address.sun_family || length > sizeof address)
		return false;
	if (!gate_memory_read((pid_t)notice->pid, notice->data.args[1], &address, length) || address.sun_family != AF_UNIX)
		return false;
	snprintf(path, PATH_MAX, "%.*s", (int)sizeof address.sun_path, address.sun_path);
	return *path;
}
