#include "proctree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES_MAX = 1024 };
enum { FLAG_EXITING = 0x4 }; /* PF_EXITING in the kernel's sched.h */

/* The kernel's own packing of a device number: minor in bits 31-20 and 7-0, major in 19-8. */
static dev_t device_of(unsigned number)
{
	return number == 0 ? 0 : makedev(number >> 8 & 0xfff, (number & 0xff) | (number >> 12 & 0xfff00));
}

int process_stat_of(int stat_fd, pid_t pid, struct process_stat *out)
{
	char text[512];
	ssize_t read_bytes = stat_fd < 0 ? -1 : pread(stat_fd, text, sizeof text - 1, 0);
	if (read_bytes <= 0)
		return -1;
	text[read_bytes] = 0;
	/* The name is in brackets and may itself contain brackets and blanks; the last bracket closes it. */
	char *open_bracket = strchr(text, '('), *close_bracket = strrchr(text, ')');
	if (!open_bracket || !close_bracket || close_bracket < open_bracket)
		return -1;
	int parent, group, session, terminal, terminal_foreground;
	unsigned flags, threads;
	unsigned long long start_ticks;
	char state;
	if (sscanf(close_bracket + 1, " %c %d %d %d %d %d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u %*d %llu", &state, &parent,
	           &group, &session, &terminal, &terminal_foreground, &flags, &threads, &start_ticks) != 9)
		return -1;
	*out = (struct process_stat){.pid = pid, .parent = parent, .group = group, .session = session, .state = state,
	                             .terminal = device_of((unsigned)terminal),
	                             .terminal_foreground = terminal_foreground, .exiting = flags & FLAG_EXITING, .threads = threads,
	                             .start_ticks = start_ticks};
	size_t length = (size_t)(close_bracket - open_bracket - 1);
	if (length >= sizeof out->name)
		length = sizeof out->name - 1;
	memcpy(out->name, open_bracket + 1, length);
	return 0;
}

int process_stat(pid_t pid, struct process_stat *out)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int failed = process_stat_of(fd, pid, out);
	if (fd >= 0)
		close(fd);
	return failed;
}

/* The children of one thread. A large family exceeds one read, so the file is read to its end. */
static size_t thread_children(pid_t pid, const char *thread, pid_t *found, size_t count, size_t max)
{
	char path[96], text[4096];
	snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, thread);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return count;
	long number = 0;
	ssize_t length;
	while ((length = read(fd, text, sizeof text)) > 0) {
		for (ssize_t i = 0; i < length; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				number = number * 10 + (text[i] - '0');
			} else if (number > 0) {
				if (count < max)
					found[count++] = (pid_t)number;
				number = 0;
			}
		}
	}
	close(fd);
	return count;
}

static size_t process_children(pid_t pid, unsigned threads_known, pid_t *found, size_t count, size_t max)
{
	char path[64];
	if (threads_known == 1) {
		snprintf(path, sizeof path, "%d", (int)pid);
		return thread_children(pid, path, found, count, max);
	}
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *threads = opendir(path);
	if (!threads) { /* without free descriptors, reads only the children of its main thread */
		snprintf(path, sizeof path, "%d", (int)pid);
		return thread_children(pid, path, found, count, max);
	}
	for (struct dirent *thread; (thread = readdir(threads));)
		if (thread->d_name[0] != '.')
			count = thread_children(pid, thread->d_name, found, count, max);
	closedir(threads);
	return count;
}

size_t process_children_of(pid_t parent, pid_t *found, size_t max)
{
	return process_children(parent, 0, found, 0, max);
}

size_t process_descendants(pid_t root, pid_t *found, pid_t *parents, size_t max)
{
	size_t count = 0, next = 0;
	for (pid_t parent = root;; parent = found[next++]) {
		size_t before = count;
		count = process_children(parent, 0, found, count, max);
		for (size_t i = before; parents && i < count; i++)
			parents[i] = parent;
		if (next == count)
			return count;
	}
}

/* Uses a process descriptor if the kernel has them (Linux 5.3) and one is free: then the signalled process is the checked one. */
bool process_signal(pid_t pid, pid_t parent, int signal_number)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct process_stat stat;
	bool is_it = !(fd < 0 && errno == ESRCH) && (parent == 0 || (process_stat(pid, &stat) == 0 && stat.parent == parent));
	bool sent = is_it && (fd < 0 ? kill(pid, signal_number) : (int)syscall(SYS_pidfd_send_signal, fd, signal_number, NULL, 0)) == 0;
	if (fd >= 0)
		close(fd);
	return sent;
}

size_t process_tree(pid_t root, struct process_stat *processes, size_t max)
{
	pid_t found[PROCESSES_MAX];
	size_t kept = 0, limit = max < PROCESSES_MAX ? max : PROCESSES_MAX;
	size_t count = process_children(root, 0, found, 0, limit);
	for (size_t i = 0; i < count; i++) {
		if (process_stat(found[i], &processes[kept]) < 0)
			continue;
		count = process_children(found[i], processes[kept].threads, found, count, limit);
		if (!processes[kept].exiting)
			kept++;
	}
	return kept;
}

size_t process_threads(pid_t process, pid_t *found, size_t max)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", (int)process);
	DIR *threads = opendir(path);
	size_t count = 0;
	for (struct dirent *entry; threads && count < max && (entry = readdir(threads));) {
		pid_t thread = (pid_t)atoi(entry->d_name);
		if (thread > 0)
			found[count++] = thread;
	}
	if (threads)
		closedir(threads);
	return count;
}

int thread_file(pid_t process, pid_t thread, const char *name)
{
	char path[96];
	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)process, (int)thread, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

unsigned children_count(pid_t process, pid_t thread)
{
	char text[1024];
	int fd = thread_file(process, thread, "children");
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text);
	unsigned count = 0;
	for (ssize_t i = 0; i < length; i++)
		count += text[i] == ' ';
	if (fd >= 0)
		close(fd);
	return count;
}

/* schedstat: nanoseconds on the processor, nanoseconds waiting for it, number of time slices. */
uint64_t thread_slices(int schedstat_fd, uint64_t *cpu_ns)
{
	char text[128];
	ssize_t length = schedstat_fd < 0 ? -1 : pread(schedstat_fd, text, sizeof text - 1, 0);
	if (length <= 0)
		return 0;
	text[length] = 0;
	char *at = text;
	unsigned long long running = strtoull(at, &at, 10);
	(void)strtoull(at, &at, 10);
	if (cpu_ns)
		*cpu_ns = running;
	return strtoull(at, NULL, 10);
}


static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;
	return clock_gettime(clock, &time) < 0 ? 0 : (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The kernel counts from the start of the machine, including the time it slept. */
uint64_t process_began_ns(const struct process_stat *process)
{
	uint64_t start = process->start_ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
	uint64_t awake = clock_ns(CLOCK_MONOTONIC), asleep = clock_ns(CLOCK_BOOTTIME) - awake;
	return start > asleep ? start - asleep : 0;
}

/* The clock of another process: its inverted number above the bits that select the CPU time of all its threads. */
uint64_t process_cpu_ns(pid_t process)
{
	return clock_ns((clockid_t)(~(unsigned)process << 3 | 2u));
}

bool process_ignores(pid_t pid, int signal_number)
{
	static const char name[] = "\nSigIgn:";
	char path[64], text[4096];
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return false;
	text[length] = 0;
	const char *mask = strstr(text, name);
	return mask && strtoull(mask + sizeof name - 1, NULL, 16) >> (signal_number - 1) & 1;
}
