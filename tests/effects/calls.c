/*
 * Every system call that the gate traps and that is about a file, made by its number.
 *
 *   calls names                                    prints each row: call, label, number (-1 on a processor that lacks it), kind
 *   calls prepare FOLDER OTHER                     makes the files that the calls are about: a folder for each row
 *   calls run FOLDER OTHER KIND [STEPS]            makes the calls of the rows, each in a process and a job of its own
 *
 * KIND is `all`, `files` for all but those that mount, or `inner` for those that mount, in a mount name space of their own. `run` prints a line for each row: its label, the result, the errno, and what the files are after the call, or `unchanged`. STEPS is a pipe: a byte is read from it
 * before each call, and another one after its process has ended.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Numbers that older headers lack are the same on every processor. */
enum {
	NR_OPEN_TREE = 428, NR_MOVE_MOUNT = 429, NR_OPENAT2 = 437, NR_FCHMODAT2 = 452, NR_SETXATTRAT = 463, NR_REMOVEXATTRAT = 466, NR_FILE_SETATTR = 469,
	ABSENT = -1, PATH_BYTES = 4096, TEXT_BYTES = 4096,
};
/* Descriptors of the process that makes a call: the folder of its row, the file in it, and a mount that is at no path yet. */
enum { FOLDER = 100, OPENED = 101, TREE = 102 };
/* In place of ids. Root gives the file away; the owner of a file can only give it to itself, which takes its set-user-id bit. */
enum { USER = -1000, GROUP = -1001, OTHER_ID = 1234 };

#ifdef SYS_unlink
#define LEGACY(name) SYS_##name
#else
#define LEGACY(name) ABSENT
#endif
#define AT(pointer) ((long)(intptr_t)(pointer))

static const char *base, *other_base;
static char file[PATH_BYTES], new_file[PATH_BYTES], folder[PATH_BYTES], other[PATH_BYTES], moved[PATH_BYTES];
static int inode_flags;
static struct fsxattr attributes;
static struct open_how emptying = {.flags = O_WRONLY | O_TRUNC}, beneath = {.flags = O_WRONLY | O_APPEND, .resolve = RESOLVE_BENEATH};
static struct { uint64_t value; uint32_t size, flags; } attribute_at = {0, 5, 0};
static struct { uint64_t flags; uint32_t sizes[4]; } file_attributes = {FS_XFLAG_NODUMP, {0}};

static const struct row {
	const char *name, *variant;
	long number;
	long arguments[6];
	bool is_opening, is_mount;
} rows[] = {
	{"unlink", "", LEGACY(unlink), {AT(file)}},
	{"rmdir", "", LEGACY(rmdir), {AT(folder)}},
	{"rename", "", LEGACY(rename), {AT(file), AT(moved)}},
	{"rename", "-over", LEGACY(rename), {AT(file), AT(other)}},
	{"chmod", "", LEGACY(chmod), {AT(file), 0640}},
	{"chown", "", LEGACY(chown), {AT(file), USER, GROUP}},
	{"lchown", "", LEGACY(lchown), {AT(file), USER, GROUP}},
	{"link", "", LEGACY(link), {AT(file), AT(moved)}},
	{"symlink", "", LEGACY(symlink), {AT("target"), AT(new_file)}},
	{"mkdir", "", LEGACY(mkdir), {AT(new_file), 0777}},
	{"mknod", "", LEGACY(mknod), {AT(new_file), S_IFIFO | 0666, 0}},
	{"open", "", LEGACY(open), {AT(file), O_WRONLY | O_TRUNC}, .is_opening = true},
	{"open", "-new", LEGACY(open), {AT(new_file), O_WRONLY | O_CREAT, 0666}, .is_opening = true},
	{"creat", "", LEGACY(creat), {AT(file), 0666}, .is_opening = true},
	{"unlinkat", "", SYS_unlinkat, {FOLDER, AT("file"), 0}},
	{"unlinkat", "-folder", SYS_unlinkat, {FOLDER, AT("folder"), AT_REMOVEDIR}},
#ifdef SYS_renameat
	{"renameat", "", SYS_renameat, {FOLDER, AT("file"), AT_FDCWD, AT(moved)}},
#else
	{"renameat", "", ABSENT, {0}},
#endif
	{"renameat2", "", SYS_renameat2, {FOLDER, AT("file"), AT_FDCWD, AT(moved), RENAME_NOREPLACE}},
	{"renameat2", "-exchange", SYS_renameat2, {FOLDER, AT("file"), AT_FDCWD, AT(other), RENAME_EXCHANGE}},
	{"truncate", "", SYS_truncate, {AT(file), 1}},
	{"fchmodat", "", SYS_fchmodat, {FOLDER, AT("file"), 0640}},
	{"fchmodat2", "", NR_FCHMODAT2, {FOLDER, AT("file"), 0640, AT_SYMLINK_NOFOLLOW}},
	{"fchmodat2", "-descriptor", NR_FCHMODAT2, {OPENED, AT(""), 0640, AT_EMPTY_PATH}},
	{"fchownat", "", SYS_fchownat, {FOLDER, AT("file"), USER, GROUP, 0}},
	{"fchownat", "-descriptor", SYS_fchownat, {OPENED, AT(""), USER, GROUP, AT_EMPTY_PATH}},
	{"fchmod", "", SYS_fchmod, {OPENED, 0640}},
	{"fchown", "", SYS_fchown, {OPENED, USER, GROUP}},
	{"setxattr", "", SYS_setxattr, {AT(file), AT("user.new"), AT("value"), 5, XATTR_CREATE}},
	{"lsetxattr", "", SYS_lsetxattr, {AT(file), AT("user.new"), AT("value"), 5, 0}},
	{"fsetxattr", "", SYS_fsetxattr, {OPENED, AT("user.new"), AT("value"), 5, 0}},
	{"removexattr", "", SYS_removexattr, {AT(file), AT("user.old")}},
	{"lremovexattr", "", SYS_lremovexattr, {AT(file), AT("user.old")}},
	{"fremovexattr", "", SYS_fremovexattr, {OPENED, AT("user.old")}},
	{"setxattrat", "", NR_SETXATTRAT, {FOLDER, AT("file"), 0, AT("user.new"), AT(&attribute_at), sizeof attribute_at}},
	{"removexattrat", "", NR_REMOVEXATTRAT, {FOLDER, AT("file"), 0, AT("user.old")}},
	{"file_setattr", "", NR_FILE_SETATTR, {FOLDER, AT("file"), AT(&file_attributes), sizeof file_attributes, 0}},
	{"ioctl", "", SYS_ioctl, {OPENED, FS_IOC_SETFLAGS, AT(&inode_flags)}},
	{"ioctl", "-attributes", SYS_ioctl, {OPENED, FS_IOC_FSSETXATTR, AT(&attributes)}},
	{"linkat", "", SYS_linkat, {FOLDER, AT("file"), AT_FDCWD, AT(moved), 0}},
	{"linkat", "-descriptor", SYS_linkat, {AT_FDCWD, AT("/proc/self/fd/101"), AT_FDCWD, AT(moved), AT_SYMLINK_FOLLOW}},
	{"symlinkat", "", SYS_symlinkat, {AT("target"), FOLDER, AT("new")}},
	{"mkdirat", "", SYS_mkdirat, {FOLDER, AT("new"), 0777}},
	{"mknodat", "", SYS_mknodat, {FOLDER, AT("new"), S_IFREG | 0666, 0}},
	{"openat", "", SYS_openat, {FOLDER, AT("file"), O_RDWR | O_APPEND | O_CLOEXEC}, .is_opening = true},
	{"openat", "-new", SYS_openat, {FOLDER, AT("new"), O_WRONLY | O_CREAT | O_EXCL, 0666}, .is_opening = true},
	{"openat2", "", NR_OPENAT2, {FOLDER, AT("file"), AT(&emptying), sizeof emptying}, .is_opening = true},
	{"openat2", "-beneath", NR_OPENAT2, {FOLDER, AT("file"), AT(&beneath), sizeof beneath}, .is_opening = true},
	{"mount", "", SYS_mount, {AT("calls"), AT(folder), AT("tmpfs"), 0, 0}, .is_mount = true},
	{"umount2", "", SYS_umount2, {AT(folder), 0}, .is_mount = true},
	{"move_mount", "", NR_MOVE_MOUNT, {TREE, AT(""), FOLDER, AT("folder"), 4 /* MOVE_MOUNT_F_EMPTY_PATH */}, .is_mount = true},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void must(bool holds, const char *sentence)
{
	if (holds)
		return;
	perror(sentence);
	exit(2);
}

static void set_paths(const struct row *row)
{
	snprintf(folder, sizeof folder, "%s/%s%s", base, row->name, row->variant);
	snprintf(file, sizeof file, "%s/file", folder);
	snprintf(new_file, sizeof new_file, "%s/new", folder);
	strcat(folder, "/folder");
	snprintf(other, sizeof other, "%s/%s%s/other", other_base, row->name, row->variant);
	snprintf(moved, sizeof moved, "%s/%s%s/moved", other_base, row->name, row->variant);
}

static int open_folder(const char *inside)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "%.*s", (int)(strrchr(inside, '/') - inside), inside);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* ---- before the calls ---- */

static void make_file(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
	must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0, path);
	must(setxattr(path, "user.old", "1", 1, 0) == 0, "a file system with extended attributes");
	must(chmod(path, 04755) == 0, "chmod");
}

static void make_folder_of(const char *inside)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "%.*s", (int)(strrchr(inside, '/') - inside), inside);
	must(mkdir(path, 0755) == 0, path);
}

static void prepare(void)
{
	for (const struct row *row = rows; row < rows + ROWS; row++) {
		set_paths(row);
		make_folder_of(file);
		make_folder_of(other);
		must(mkdir(folder, 0755) == 0, folder);
		make_file(file, "first\n");
		make_file(other, "other\n");
		if (row->number == SYS_umount2 && geteuid() == 0)
			must(mount("calls", folder, "tmpfs", 0, NULL) == 0, "mount");
	}
}

/* ---- the state of files, as text ---- */

static size_t describe_contents(const char *path, char *text, size_t max)
{
	char value[64];
	int fd = open(path, O_RDONLY | O_CLOEXEC), flags = 0;
	ssize_t length = fd < 0 ? -1 : read(fd, value, sizeof value);
	for (ssize_t i = 0; i < length; i++)
		value[i] = value[i] == '\n' ? '.' : value[i];
	size_t end = (size_t)snprintf(text, max, ":%.*s", (int)(length < 0 ? 0 : length), value);
	if (fd >= 0 && ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 && flags & FS_NODUMP_FL)
		end += (size_t)snprintf(text + end, max - end, ":nodump");
	close(fd);
	static const char *const names[] = {"user.old", "user.new"};
	for (size_t i = 0; i < 2; i++)
		if ((length = lgetxattr(path, names[i], value, sizeof value)) >= 0)
			end += (size_t)snprintf(text + end, max - end, ":%s=%.*s", names[i], (int)length, value);
	return end;
}

static size_t describe_file(int in, dev_t device, const char *name, const char *path, char *text, size_t max)
{
	struct stat seen;
	if (fstatat(in, name, &seen, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (seen.st_dev != device)
		return (size_t)snprintf(text, max, " %s:mounted", name);
	size_t end = (size_t)snprintf(text, max, " %s:%o:%d:%d:%d", name, seen.st_mode, (int)seen.st_nlink, (int)seen.st_uid, (int)seen.st_gid);
	if (S_ISREG(seen.st_mode))
		end += describe_contents(path, text + end, max - end);
	return end;
}

/* Everything that a call of a row can change. */
static void describe(char *text)
{
	const char *const paths[] = {file, new_file, folder, other, moved};
	size_t end = 0;
	*text = 0;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct stat seen;
		int in = open_folder(paths[i]);
		must(in >= 0 && fstat(in, &seen) == 0, paths[i]);
		end += describe_file(in, seen.st_dev, strrchr(paths[i], '/') + 1, paths[i], text + end, TEXT_BYTES - end);
		close(in);
	}
}

/* ---- the calls ---- */

struct outcome {
	long result;
	int problem;
	bool is_close_on_exec;
};

static void open_descriptors(const struct row *row)
{
	must(dup2(open_folder(file), FOLDER) == FOLDER && dup2(open(file, O_RDONLY), OPENED) == OPENED, "descriptors");
	if (row->number == NR_MOVE_MOUNT)
		must(dup2((int)syscall(NR_OPEN_TREE, AT_FDCWD, "/proc", 1 /* OPEN_TREE_CLONE */), TREE) == TREE, "open_tree");
	if (row->number == SYS_ioctl)
		must(ioctl(OPENED, FS_IOC_GETFLAGS, &inode_flags) == 0 && ioctl(OPENED, FS_IOC_FSGETXATTR, &attributes) == 0, "flags of files");
	inode_flags |= FS_NODUMP_FL;
	attributes.fsx_xflags |= FS_XFLAG_NODUMP;
	attribute_at.value = (uint64_t)AT("value");
}

static long argument(const struct row *row, int index)
{
	long value = row->arguments[index];
	return value == USER ? (geteuid() ? getuid() : OTHER_ID) : value == GROUP ? (geteuid() ? getgid() : OTHER_ID) : value;
}

/* A process of its own, and so a question of its own. */
static void make_call(const struct row *row, int report)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	umask(027);
	open_descriptors(row);
	long a[6];
	for (int i = 0; i < 6; i++)
		a[i] = argument(row, i);
	errno = 0;
	struct outcome outcome = {.result = syscall(row->number, a[0], a[1], a[2], a[3], a[4], a[5])};
	outcome.problem = errno;
	if (row->is_opening && outcome.result >= 0) {
		outcome.is_close_on_exec = fcntl((int)outcome.result, F_GETFD) & FD_CLOEXEC;
		must(write((int)outcome.result, "new", 3) == 3, "write");
	}
	_exit(write(report, &outcome, sizeof outcome) != sizeof outcome);
}

static void take_step(int steps)
{
	char byte;
	if (steps >= 0)
		must(read(steps, &byte, 1) == 1, "read a step");
}

static void print_outcome(const struct row *row, const struct outcome *outcome, bool is_reported, const char *change)
{
	char result[32];
	snprintf(result, sizeof result, "%ld", outcome->result);
	if (row->is_opening && outcome->result >= 0)
		snprintf(result, sizeof result, "%s", outcome->is_close_on_exec ? "descriptor-cloexec" : "descriptor");
	printf("%s%s %s %d %s\n", row->name, row->variant, is_reported ? result : "killed", outcome->problem, change);
	fflush(stdout);
}

/* Another program, which the gate serves as before: it makes and removes a file in a free folder. */
static bool is_served(void)
{
	pid_t child = fork();
	int status = 0;
	if (child == 0) {
		strcat(moved, "-meanwhile");
		_exit(close(open(moved, O_WRONLY | O_CREAT, 0600)) < 0 || unlink(moved) < 0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void run(const struct row *row, int steps)
{
	static char before[TEXT_BYTES], after[TEXT_BYTES];
	struct outcome outcome = {0};
	int report[2];
	set_paths(row);
	describe(before);
	take_step(steps);
	must(pipe2(report, O_CLOEXEC) == 0, "pipe");
	pid_t child = fork();
	if (child == 0)
		make_call(row, report[1]);
	close(report[1]);
	bool is_reported = read(report[0], &outcome, sizeof outcome) == sizeof outcome;
	close(report[0]);
	waitpid(child, NULL, 0);
	take_step(steps);
	must(is_served(), "the gate serves another program");
	describe(after);
	print_outcome(row, &outcome, is_reported, strcmp(before, after) ? after : "unchanged");
}

int main(int count, char **arguments)
{
	const char *command = count > 1 ? arguments[1] : "", *kind = count > 4 ? arguments[4] : "";
	if (strcmp(command, "names") == 0)
		for (const struct row *row = rows; row < rows + ROWS; row++)
			printf("%s %s%s %ld %s\n", row->name, row->name, row->variant, row->number, row->is_mount ? "mount" : "file");
	if (count < 4)
		return strcmp(command, "names") != 0;
	base = arguments[2];
	other_base = arguments[3];
	if (strcmp(command, "prepare") == 0)
		prepare();
	if (strcmp(kind, "inner") == 0)
		must(unshare(CLONE_NEWNS) == 0, "a mount name space");
	int steps = count > 5 ? open(arguments[5], O_RDONLY | O_CLOEXEC) : -1;
	for (const struct row *row = rows; row < rows + ROWS && *kind; row++)
		if (row->number != ABSENT && (strcmp(kind, "all") == 0 || row->is_mount == (strcmp(kind, "inner") == 0)))
			run(row, steps);
	return 0;
}
