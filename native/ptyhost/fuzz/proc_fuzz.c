/*
 * Arbitrary text in place of files in /proc. The parsed result must equal that of a second, simpler parser, or be empty;
  * parsing twice must give the same; and no process may be reported as waiting for a terminal that is not among its descriptors.
  *
  * The first byte of an input chooses the file. For a blocked call, the text up to the first NUL is its `syscall` file, and
  * the rest is the contents of memory and `fdinfo`.
 */
#include "fuzz.h"

#include "../src/facts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The rest of the input: the contents of the process's memory and of its descriptors' files. */
static const uint8_t *behind;
static size_t behind_length;
static bool terminal_seen;
static unsigned descriptors_seen;
static int children_file;

enum { DEVICE_MAJOR = 136, DEVICE_MINOR = 5 };

/* The kind of a descriptor follows from its number. */
static int pretended_stat(const char *path, struct stat *out)
{
	const char *digits = strrchr(path, '/');
	descriptors_seen++;
	long fd = strtol(digits + 1, NULL, 10);
	*out = (struct stat){.st_mode = S_IFCHR};
	switch ((unsigned long)fd % 6) {
	case 0:
		out->st_rdev = makedev(DEVICE_MAJOR, DEVICE_MINOR);
		terminal_seen = true;
		return 0;
	case 1:
		out->st_mode = S_IFSOCK;
		return 0;
	case 2:
		out->st_rdev = makedev(5, 2);
		return 0;
	case 3:
		out->st_mode = S_IFREG; /* an epoll */
		return 0;
	case 4:
		out->st_rdev = makedev(5, 0);
		terminal_seen = true;
		return 0;
	default:
		errno = ENOENT;
		return -1;
	}
}

static ssize_t pretended_link(const char *path, char *to, size_t length)
{
	static const char link[] = "anon_inode:[eventpoll]";
	(void)path;
	size_t copied = sizeof link - 1 < length ? sizeof link - 1 : length;
	memcpy(to, link, copied);
	return (ssize_t)copied;
}

static FILE *pretended_file(void)
{
	return behind_length ? fmemopen((void *)(uintptr_t)behind, behind_length, "r") : NULL;
}

static ssize_t pretended_memory(pid_t process, const struct iovec *local, const struct iovec *remote)
{
	MUST(process == 7, "only the process in question is read");
	size_t length = local->iov_len < behind_length ? local->iov_len : behind_length;
	if (!remote->iov_base || length < local->iov_len)
		return -1;
	memcpy(local->iov_base, behind, length);
	return (ssize_t)length;
}

#define stat(path, out) pretended_stat(path, out)
#define readlink(path, to, length) pretended_link(path, to, length)
#define fopen(path, mode) pretended_file()
#define process_vm_readv(pid, local, locals, remote, remotes, flags) pretended_memory(pid, local, remote)
#define open(...) dup(children_file)
#include "../src/proctree_linux.c"
#include "../src/tty_wait_linux.c"
#include "../src/uring_linux.c"
#undef open

static int file_of(const void *text, size_t length)
{
	int fd = memfd_create("proc", MFD_CLOEXEC);
	MUST(fd >= 0 && write(fd, text, length) == (ssize_t)length && lseek(fd, 0, SEEK_SET) == 0, "a file in memory");
	return fd;
}

/* ---- stat ---- */

static void check_stat(const uint8_t *data, size_t length)
{
	int fd = file_of(data, length);
	struct process_stat once, twice;
	int result = process_stat_of(fd, 7, &once);
	MUST(process_stat_of(fd, 7, &twice) == result, "reading twice gives the same");
	close(fd);
	if (result < 0)
		return;
	size_t seen = length < 511 ? length : 511, open_bracket = 0, close_bracket = 0;
	while (open_bracket < seen && data[open_bracket] != '(')
		open_bracket++;
	for (size_t i = 0; i < seen && data[i] != 0; i++)
		if (data[i] == ')')
			close_bracket = i;
	MUST(open_bracket < close_bracket, "a name stands between its brackets");
	size_t name = close_bracket - open_bracket - 1;
	name = name < sizeof once.name - 1 ? name : sizeof once.name - 1;
	MUST(memcmp(once.name, data + open_bracket + 1, name) == 0 && once.name[name] == 0, "the name is parsed exactly");
	MUST(once.pid == 7 && once.parent == twice.parent && once.group == twice.group && once.session == twice.session &&
	         once.terminal == twice.terminal && once.terminal_foreground == twice.terminal_foreground &&
	         once.state == twice.state && once.exiting == twice.exiting && once.threads == twice.threads,
	     "reading twice gives the same");
}

/* A line in the kernel's format is parsed as it was written, whatever the name. */
static void check_written_stat(const uint8_t *data, size_t length)
{
	int numbers[7] = {0};
	if (length < sizeof numbers)
		return;
	memcpy(numbers, data, sizeof numbers);
	char name[16] = "", text[512];
	size_t name_length = length - sizeof numbers < 15 ? length - sizeof numbers : 15;
	for (size_t i = 0; i < name_length; i++)
		name[i] = data[sizeof numbers + i] ? (char)data[sizeof numbers + i] : 'x';
	unsigned device = (unsigned)numbers[3] & 0xfffff;
	int written = snprintf(text, sizeof text, "%d (%s) S %d %d %d %u %d %u 0 0 0 0 0 0 0 0 20 0 %u 0 99", 7, name, numbers[0],
	                       numbers[1], numbers[2], device, numbers[4], (unsigned)numbers[5], (unsigned)numbers[6]);
	int fd = file_of(text, (size_t)written);
	struct process_stat read_back;
	MUST(process_stat_of(fd, 7, &read_back) == 0, "a line of the kernel is read");
	close(fd);
	MUST(strcmp(read_back.name, name) == 0, "a name may hold anything");
	MUST(read_back.parent == numbers[0] && read_back.group == numbers[1] && read_back.session == numbers[2] &&
	         read_back.terminal_foreground == numbers[4] && read_back.threads == (unsigned)numbers[6],
	     "the numbers are parsed exactly");
	MUST(read_back.state == 'S' && read_back.exiting == ((numbers[5] & FLAG_EXITING) != 0), "the state is parsed exactly");
	MUST((read_back.terminal == 0) == (device == 0), "no terminal is no terminal");
}

/* ---- schedstat and children ---- */

static void check_schedstat(const uint8_t *data, size_t length)
{
	int fd = file_of(data, length);
	uint64_t cpu = 1, again = 1;
	uint64_t slices = thread_slices(fd, &cpu);
	MUST(thread_slices(fd, &again) == slices && again == cpu, "reading twice gives the same");
	close(fd);
	MUST(thread_slices(-1, NULL) == 0, "without a file there are none");
}

/* Parses `length` numbers between other text, each at most a pid. */
static size_t plain_children(const uint8_t *data, size_t length, pid_t *found, size_t max)
{
	size_t count = 0;
	for (size_t at = 0; at < length;) {
		size_t end = at;
		while (end < length && isdigit(data[end]))
			end++;
		long number = 0;
		for (size_t i = at; i < end; i++)
			number = number * 10 + (data[i] - '0');
		/* The kernel ends each with a blank. */
		if (number > 0 && end < length && count < max)
			found[count++] = (pid_t)number;
		at = end + 1;
	}
	return count;
}

static void check_children(const uint8_t *data, size_t length)
{
	/* Longer numbers are not pids, and the kernel writes none. */
	for (size_t i = 0, digits = 0; i < length; i++) {
		digits = isdigit(data[i]) ? digits + 1 : 0;
		if (digits > 9)
			return;
	}
	enum { MAX = 8 };
	pid_t found[MAX], plain[MAX];
	children_file = file_of(data, length);
	size_t count = thread_children(7, "7", found, 0, MAX);
	close(children_file);
	MUST(count == plain_children(data, length, plain, MAX), "the right number of children");
	MUST(memcmp(found, plain, count * sizeof *found) == 0, "the right children");
}

/* ---- syscall ---- */

static struct tty_wait examine(int fd, bool own)
{
	struct tty_wait wait;
	memset(&wait, 0, sizeof wait);
	descriptors_seen = 0;
	MUST(tty_wait_read(fd, 7, makedev(DEVICE_MAJOR, DEVICE_MINOR), own, &wait) == 0, "a file that can be read is read");
	/* Each descriptor is examined once, and the terminal once more. */
	MUST(descriptors_seen <= 2 * EXAMINED_MAX + 2, "an examination is bounded");
	return wait;
}

static void check_syscall(const uint8_t *data, size_t length)
{
	if (length < 1)
		return;
	bool own = data[0] & 1;
	const uint8_t *end = memchr(data + 1, 0, length - 1);
	size_t text = end ? (size_t)(end - data - 1) : length - 1;
	behind = end ? end + 1 : NULL;
	behind_length = end ? length - text - 2 : 0;
	int fd = file_of(data + 1, text);
	terminal_seen = false;
	struct tty_wait once = examine(fd, own), twice = examine(fd, own);
	close(fd);
	MUST(once.kind == twice.kind && once.activity == twice.activity && once.timeout_ms == twice.timeout_ms &&
	         once.other_fds == twice.other_fds && once.sockets == twice.sockets,
	     "reading twice gives the same");
	MUST(once.kind == WAIT_NONE || terminal_seen, "a process that waits for a terminal has one");
	MUST(once.timeout_ms >= WAIT_FOREVER, "a time-out is a time");
	MUST(once.kind != WAIT_NONE || (once.other_fds == 0 && once.sockets == 0), "a process that does not wait has no other descriptors");
	MUST(once.sockets <= once.other_fds && once.masters <= once.other_fds, "all other descriptors are counted");
	MUST(text == 0 || data[1] != 'r' || once.kind == WAIT_NONE, "a running process does not wait");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static void (*const checks[])(const uint8_t *, size_t) = {check_stat, check_written_stat, check_schedstat,
	                                                          check_children, check_syscall};
	if (length > 0)
		checks[data[0] % (sizeof checks / sizeof *checks)](data + 1, length - 1);
	return 0;
}
