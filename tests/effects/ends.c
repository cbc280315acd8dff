/*
 * Calls about everything that can be at the end of a path, with every way to write that end, and with arguments that the kernel refuses.
 *
 *   ends FOLDER    prints a line for each: the call, the path, the result or errno, and if files have changed what there is then
 *
 * A gate must not change a line where all is free.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { NR_OPENAT2 = 437, NR_FCHMODAT2 = 452, LONG_NAME = 300, BIG = 1 << 17 };

static void must(bool holds, const char *sentence)
{
	if (holds)
		return;
	perror(sentence);
	exit(2);
}

/* ---- what there is ---- */

static void make_file(const char *name)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0640);
	must(fd >= 0 && write(fd, "text", 4) == 4, name);
	close(fd);
}

static void make_things(void)
{
	must(mkdir("all", 0755) == 0 && chdir("all") == 0, "mkdir");
	make_file("file");
	make_file("source");
	mkdir("empty", 0755);
	mkdir("folder", 0755);
	make_file("folder/inner");
	mkdir("source-folder", 0755);
	mkfifo("pipe", 0600);
	mknod("socket", S_IFSOCK | 0600, 0);
	symlink("file", "to-file");
	symlink("file/", "to-file-slash");
	symlink("empty", "to-empty");
	symlink("folder/", "to-folder-slash");
	symlink("missing", "to-missing");
	symlink("missing/", "to-missing-slash");
	symlink("to-itself", "to-itself");
	symlink("to-file", "to-link");
}

static const char *const names[] = {
	"file", "empty", "folder", "pipe", "socket", "to-file", "to-file-slash", "to-empty", "to-folder-slash", "to-missing", "to-missing-slash", "to-itself", "to-link", "missing", "missing/x", "file/x", "",
};
static const char *const ends[] = {"", "/", "/.", "/.."};

static void remove_things(const char *folder)
{
	must(chdir(folder) == 0, folder);
	DIR *all = opendir(".");
	for (struct dirent *entry; all && (entry = readdir(all));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || unlink(entry->d_name) == 0)
			continue;
		chmod(entry->d_name, 0700);
		remove_things(entry->d_name);
		must(chdir("..") == 0 && rmdir(entry->d_name) == 0, entry->d_name);
	}
	closedir(all);
}

/* ---- the calls ---- */

static long open_by(const char *path, uint64_t flags, uint64_t resolve, size_t size)
{
	struct open_how how = {.flags = flags, .mode = flags & (O_CREAT | O_TMPFILE) ? 0666 : 0, .resolve = resolve};
	long fd;
	do /* it fails so while any process of the machine renames something */
		fd = syscall(NR_OPENAT2, AT_FDCWD, path, size ? &how : NULL, size ? size : sizeof how);
	while (fd < 0 && errno == EAGAIN);
	return fd;
}

/* The path begins with `front`. */
static long open_with(const char *front, const char *path, uint64_t flags, uint64_t resolve)
{
	char whole[128];
	snprintf(whole, sizeof whole, "%s%s", front, path);
	return open_by(whole, flags | O_NONBLOCK, resolve, sizeof(struct open_how));
}

static long at(const char *path, int flags) { return openat(AT_FDCWD, path, flags, 07666); }
static long call(long number, long a, long b, long c, long d, long e) { return syscall(number, a, b, c, d, e); }

#define CWD AT_FDCWD
#define P (long)(intptr_t)
static char big[BIG], long_name[LONG_NAME + 1];

/* Each case does one of the calls; the names and the calls are in the same order. */
#define CALLS                                                                                                                                      \
	X("unlinkat", call(SYS_unlinkat, CWD, P path, 0, 0, 0))                                                                                        \
	X("unlinkat folder", call(SYS_unlinkat, CWD, P path, AT_REMOVEDIR, 0, 0))                                                                      \
	X("unlinkat wrong flags", call(SYS_unlinkat, CWD, P path, 1, 0, 0))                                                                            \
	X("rename away", call(SYS_renameat2, CWD, P path, CWD, P "moved", 0))                                                                          \
	X("rename away, slash", call(SYS_renameat2, CWD, P path, CWD, P "moved/", 0))                                                                  \
	X("rename over", call(SYS_renameat2, CWD, P "source", CWD, P path, 0))                                                                         \
	X("rename folder over", call(SYS_renameat2, CWD, P "source-folder", CWD, P path, 0))                                                           \
	X("rename to nothing", call(SYS_renameat2, CWD, P "source", CWD, P path, RENAME_NOREPLACE))                                                    \
	X("exchange", call(SYS_renameat2, CWD, P "source", CWD, P path, RENAME_EXCHANGE))                                                              \
	X("exchange with folder", call(SYS_renameat2, CWD, P "source-folder", CWD, P path, RENAME_EXCHANGE))                                           \
	X("rename wrong flags", call(SYS_renameat2, CWD, P path, CWD, P "moved", RENAME_EXCHANGE | RENAME_NOREPLACE))                                  \
	X("rename into itself", call(SYS_renameat2, CWD, P "folder", CWD, P "folder/deeper", 0))                                                       \
	X("rename to same", call(SYS_renameat2, CWD, P path, CWD, P path, 0))                                                                          \
	X("link", call(SYS_linkat, CWD, P path, CWD, P "linked", 0))                                                                                   \
	X("link followed", call(SYS_linkat, CWD, P path, CWD, P "linked", AT_SYMLINK_FOLLOW))                                                          \
	X("link wrong flags", call(SYS_linkat, CWD, P path, CWD, P "linked", 0x10))                                                                    \
	X("link to", call(SYS_linkat, CWD, P "source", CWD, P path, 0))                                                                                \
	X("symlink", call(SYS_symlinkat, P "target", CWD, P path, 0, 0))                                                                               \
	X("symlink to nothing", call(SYS_symlinkat, P "", CWD, P path, 0, 0))                                                                          \
	X("mkdir", call(SYS_mkdirat, CWD, P path, 07777, 0, 0))                                                                                        \
	X("mknod pipe", call(SYS_mknodat, CWD, P path, S_IFIFO | 0666, 0, 0))                                                                          \
	X("mknod file", call(SYS_mknodat, CWD, P path, 0666, 0, 0))                                                                                    \
	X("mknod folder", call(SYS_mknodat, CWD, P path, S_IFDIR | 0666, 0, 0))                                                                        \
	X("truncate", call(SYS_truncate, P path, 2, 0, 0, 0))                                                                                          \
	X("truncate longer", call(SYS_truncate, P path, 9, 0, 0, 0))                                                                                   \
	X("truncate wrong length", call(SYS_truncate, P path, -1, 0, 0, 0))                                                                            \
	X("chmod", call(SYS_fchmodat, CWD, P path, 0604, 0, 0))                                                                                        \
	X("chmod odd", call(SYS_fchmodat, CWD, P path, 0177604, 0, 0))                                                                                 \
	X("chmod no follow", call(NR_FCHMODAT2, CWD, P path, 0604, AT_SYMLINK_NOFOLLOW, 0))                                                            \
	X("chmod wrong flags", call(NR_FCHMODAT2, CWD, P path, 0604, 0x8000, 0))                                                                       \
	X("chown", call(SYS_fchownat, CWD, P path, getuid(), getgid(), 0))                                                                             \
	X("chown no follow", call(SYS_fchownat, CWD, P path, -1, -1, AT_SYMLINK_NOFOLLOW))                                                             \
	X("chown wrong flags", call(SYS_fchownat, CWD, P path, -1, -1, 0x8000))                                                                        \
	X("setxattr", call(SYS_setxattr, P path, P "user.a", P "1", 1, 0))                                                                             \
	X("setxattr empty", call(SYS_setxattr, P path, P "user.a", P "1", 0, 0))                                                                       \
	X("setxattr big", call(SYS_setxattr, P path, P "user.a", P big, BIG, 0))                                                                       \
	X("setxattr replace", call(SYS_setxattr, P path, P "user.a", P "1", 1, XATTR_REPLACE))                                                         \
	X("setxattr wrong flags", call(SYS_setxattr, P path, P "user.a", P "1", 1, 8))                                                                 \
	X("setxattr no name", call(SYS_setxattr, P path, P "", P "1", 1, 0))                                                                           \
	X("setxattr long name", call(SYS_setxattr, P path, P long_name, P "1", 1, 0))                                                                  \
	X("setxattr no kind", call(SYS_setxattr, P path, P "kind", P "1", 1, 0))                                                                       \
	X("setxattr no memory", call(SYS_setxattr, P path, P "user.a", 8, 1, 0))                                                                       \
	X("setxattr name no memory", call(SYS_setxattr, P path, 8, P "1", 1, 0))                                                                       \
	X("lsetxattr", call(SYS_lsetxattr, P path, P "user.a", P "1", 1, 0))                                                                           \
	X("removexattr", call(SYS_removexattr, P path, P "user.none", 0, 0, 0))                                                                        \
	X("open write", at(path, O_WRONLY | O_NONBLOCK))                                                                                               \
	X("open write, append", at(path, O_RDWR | O_APPEND | O_NONBLOCK))                                                                              \
	X("open empty", at(path, O_WRONLY | O_TRUNC | O_NONBLOCK))                                                                                     \
	X("open read, empty", at(path, O_RDONLY | O_TRUNC | O_NONBLOCK))                                                                               \
	X("open append, empty", at(path, O_WRONLY | O_TRUNC | O_APPEND | O_NONBLOCK))                                                                  \
	X("open make", at(path, O_WRONLY | O_CREAT | O_NONBLOCK))                                                                                      \
	X("open make to read", at(path, O_RDONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC))                                                                  \
	X("open make, empty", at(path, O_RDWR | O_CREAT | O_TRUNC | O_NONBLOCK))                                                                       \
	X("open make new", at(path, O_WRONLY | O_CREAT | O_EXCL | O_NONBLOCK))                                                                         \
	X("open make, no follow", at(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK))                                                              \
	X("open no follow", at(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK))                                                                              \
	X("open folder", at(path, O_RDWR | O_DIRECTORY | O_NONBLOCK))                                                                                  \
	X("open make folder", at(path, O_RDWR | O_CREAT | O_DIRECTORY | O_NONBLOCK))                                                                   \
	X("open nameless", at(path, O_RDWR | O_TMPFILE))                                                                                               \
	X("open nameless to read", at(path, O_RDONLY | O_TMPFILE))                                                                                     \
	X("open nameless, exclusive", at(path, O_WRONLY | O_TMPFILE | O_EXCL))                                                                         \
	X("open path", at(path, O_PATH | O_CREAT | O_RDWR | O_NONBLOCK))                                                                               \
	X("open three", at(path, 3 | O_NONBLOCK))                                                                                                      \
	X("open direct", at(path, O_WRONLY | O_SYNC | O_NOATIME | O_NONBLOCK))                                                                         \
	X("openat2", open_by(path, O_WRONLY | O_NONBLOCK, 0, sizeof(struct open_how)))                                                                 \
	X("openat2 make", open_by(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0, sizeof(struct open_how)))                                        \
	X("openat2 no links", open_by(path, O_WRONLY | O_CREAT | O_NONBLOCK, RESOLVE_NO_SYMLINKS, sizeof(struct open_how)))                            \
	X("openat2 beneath", open_by(path, O_WRONLY | O_CREAT | O_NONBLOCK, RESOLVE_BENEATH, sizeof(struct open_how)))                                 \
	X("openat2 in root", open_by(path, O_WRONLY | O_TRUNC | O_NONBLOCK, RESOLVE_IN_ROOT, sizeof(struct open_how)))                                 \
	X("openat2 in root, absolute", open_with("/", path, O_WRONLY | O_CREAT, RESOLVE_IN_ROOT))                                                      \
	X("openat2 in root, up", open_with("../folder/../", path, O_RDWR, RESOLVE_IN_ROOT))                                                            \
	X("openat2 in root, not followed", open_with("/", path, O_WRONLY | O_NOFOLLOW, RESOLVE_IN_ROOT))                                               \
	X("openat2 in root, nameless", open_with("/", path, O_WRONLY | O_TMPFILE, RESOLVE_IN_ROOT))                                                    \
	X("openat2 beneath, up", open_with("folder/../", path, O_WRONLY | O_CREAT | O_TRUNC, RESOLVE_BENEATH))                                         \
	X("openat2 beneath, above", open_with("../all/", path, O_WRONLY | O_CREAT | O_TRUNC, RESOLVE_BENEATH))                                         \
	X("openat2 beneath, new", open_with("", path, O_WRONLY | O_CREAT | O_EXCL, RESOLVE_BENEATH))                                                   \
	X("openat2 wrong flags", open_by(path, O_WRONLY | 1ull << 40, 0, sizeof(struct open_how)))                                                     \
	X("openat2 wrong resolve", open_by(path, O_WRONLY, 1 << 20, sizeof(struct open_how)))                                                          \
	X("openat2 short", open_by(path, O_WRONLY, 0, 8))                                                                                              \
	X("openat2 no memory", open_by(path, O_WRONLY, 0, 0))                                                                                          \
	X("openat2 read", open_by(path, O_RDONLY | O_NONBLOCK, 0, sizeof(struct open_how)))                                                            \
	X("no memory", call(SYS_unlinkat, CWD, 8, 0, 0, 0))                                                                                            \
	X("no descriptor", call(SYS_unlinkat, 99, P path, 0, 0, 0))

static const char *const calls[] = {
#define X(name, made) name,
	CALLS
#undef X
};
enum { CALL_COUNT = sizeof calls / sizeof *calls, FIRST = __COUNTER__ + 1 };

static long make_call(int index, const char *path)
{
	switch (index) {
#define X(name, made)                                                                                                                              \
	case __COUNTER__ - FIRST:                                                                                                                      \
		return made;
		CALLS
#undef X
	}
	return -1;
}

/* ---- what becomes of it ---- */

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static size_t describe_folder(const char *path, char *text, size_t max)
{
	char *listed[64], line[512], target[64], full[512];
	size_t count = 0, end = 0;
	DIR *folder = opendir(path);
	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		struct stat seen;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || fstatat(dirfd(folder), entry->d_name, &seen, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target);
		snprintf(full, sizeof full, "%s/%s", path, entry->d_name);
		snprintf(line, sizeof line, " %s:%o:%d:%d:%.*s:%d", entry->d_name, seen.st_mode, (int)seen.st_nlink, S_ISREG(seen.st_mode) ? (int)seen.st_size : 0,
		         (int)(length < 0 ? 0 : length), target, (int)llistxattr(full, NULL, 0));
		listed[count++] = strdup(line);
	}
	if (folder)
		closedir(folder);
	qsort(listed, count, sizeof *listed, compare_names);
	for (size_t i = 0; i < count; i++) {
		end += (size_t)snprintf(text + end, max - end, "%s", listed[i]);
		free(listed[i]);
	}
	return end;
}

static void describe(char *text, size_t max)
{
	static const char *const folders[] = {".", "folder", "empty"};
	size_t end = 0;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		end += (size_t)snprintf(text + end, max - end, " |");
		end += describe_folder(folders[i], text + end, max - end);
	}
}

/* The things are made again after a call that has changed them. */
static void try_call(const char *folder, int index, const char *path)
{
	static char untouched[1 << 14], after[1 << 14];
	if (!*untouched || strcmp(untouched, after) != 0) {
		remove_things(folder);
		must(chdir(folder) == 0, folder);
		make_things();
		describe(untouched, sizeof untouched);
	}
	errno = 0;
	long result = make_call(index, path);
	int problem = errno;
	struct stat seen = {0};
	bool is_descriptor = result > 2 && fstat((int)result, &seen) == 0;
	printf("%s [%s]: %s", calls[index], path, result < 0 ? strerror(problem) : is_descriptor ? "descriptor" : "done");
	if (is_descriptor) {
		/* The gate opens with O_NOFOLLOW what it has resolved, and the descriptor shows it. */
		printf(" %x %d %o %d", fcntl((int)result, F_GETFL) & ~O_NOFOLLOW, fcntl((int)result, F_GETFD), seen.st_mode, (int)seen.st_nlink);
		close((int)result);
	}
	describe(after, sizeof after);
	puts(strcmp(untouched, after) ? after : "");
}

int main(int count, char **arguments)
{
	must(count == 2 && chdir(arguments[1]) == 0, "a folder");
	umask(027);
	memset(long_name, 'x', LONG_NAME);
	memcpy(long_name, "user.", 5);
	static char buffer[1 << 16];
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	for (int index = 0; index < CALL_COUNT; index++)
		for (size_t name = 0; name < sizeof names / sizeof *names; name++)
			for (size_t end = 0; end < (*names[name] ? sizeof ends / sizeof *ends : 1); end++) {
				char path[64];
				snprintf(path, sizeof path, "%s%s", names[name], ends[end]);
				try_call(arguments[1], index, path);
			}
	return 0;
}
