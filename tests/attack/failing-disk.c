/*
 * Makes the disk below one folder fail, for the process that preloads it and its children. AGENTPTY_TEST_DISK names the folder. The file
  * AGENTPTY_TEST_DISK_ERROR contains the error number, or nothing while the disk works. Calls that write fail, and so do those that create, rename or
  * remove names if the error is that of a read-only disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

static int failure(void)
{
	const char *path = getenv("AGENTPTY_TEST_DISK_ERROR");
	char text[16] = "";
	int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return 0;
	if (syscall(SYS_read, fd, text, sizeof text - 1) < 0)
		text[0] = 0;
	syscall(SYS_close, fd);
	return atoi(text);
}

static int is_below(const char *path)
{
	const char *folder = getenv("AGENTPTY_TEST_DISK");
	size_t length = folder ? strlen(folder) : 0;
	return length > 0 && path && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int fails(const char *path)
{
	int error = is_below(path) ? failure() : 0;
	if (error)
		errno = error;
	return error;
}

static int fails_at(int fd)
{
	char link[64], path[PATH_MAX];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0)
		return 0;
	path[length] = 0;
	return fails(path);
}

ssize_t write(int fd, const void *bytes, size_t count) { return fails_at(fd) ? -1 : NEXT(write)(fd, bytes, count); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return fails_at(fd) ? -1 : NEXT(pwrite)(fd, bytes, count, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return fails_at(fd) ? -1 : NEXT(pwrite64)(fd, bytes, count, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return fails_at(fd) ? -1 : NEXT(writev)(fd, parts, count); }
int ftruncate(int fd, off_t size) { return fails_at(fd) ? -1 : NEXT(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fails_at(fd) ? -1 : NEXT(ftruncate64)(fd, size); }
int fsync(int fd) { return fails_at(fd) ? -1 : NEXT(fsync)(fd); }

static int changes_names(const char *path) { return is_below(path) && (failure() == EROFS || failure() == EIO) && fails(path); }

/* On a full disk, names can be removed and files opened; new files can be created while there is space for their names. */
static int fails_to_open(const char *path, int flags)
{
	return (flags & (O_WRONLY | O_RDWR | O_CREAT)) && changes_names(path);
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		va_list rest; \
		va_start(rest, flags); \
		mode_t mode = (mode_t)va_arg(rest, int); \
		va_end(rest); \
		return fails_to_open(path, flags) ? -1 : NEXT(name)(path, flags, mode); \
	}
OPEN(open)
OPEN(open64)

/* An existing file is reported as existing on any disk. */
int mkdir(const char *path, mode_t mode) { return access(path, F_OK) != 0 && fails(path) ? -1 : NEXT(mkdir)(path, mode); }
int rename(const char *from, const char *to) { return changes_names(to) ? -1 : NEXT(rename)(from, to); }
int unlink(const char *path) { return changes_names(path) ? -1 : NEXT(unlink)(path); }
int rmdir(const char *path) { return changes_names(path) ? -1 : NEXT(rmdir)(path); }
int link(const char *from, const char *to) { return changes_names(to) ? -1 : NEXT(link)(from, to); }
