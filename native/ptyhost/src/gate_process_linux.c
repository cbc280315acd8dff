#include "gate_process.h"

#include "gate_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static size_t read_of_process(pid_t pid, const char *what, char *to, size_t max)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/%d/%s", pid, what);
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, to, max - 1);
	if (fd >= 0)
		close(fd);
	to[length < 0 ? 0 : length] = 0;
	return length < 0 ? 0 : (size_t)length;
}

size_t gate_process_line(pid_t pid, char *line, size_t max) { return read_of_process(pid, "cmdline", line, max); }

void gate_process_describe(pid_t pid, char *program, char *command)
{
	static char line[COMMAND_LINE_BYTES];
	if (read_of_process(pid, "comm", program, PROGRAM_BYTES) > 0)
		program[strcspn(program, "\n")] = 0;
	size_t length = gate_process_line(pid, line, sizeof line);
	for (size_t i = 0; i + 1 < length; i++)
		if (!line[i])
			line[i] = ' ';
	snprintf(command, COMMAND_BYTES, "%.*s", COMMAND_BYTES - 1, line);
}

static bool is_in_other(pid_t thread, enum gate_namespace kind)
{
	static const char *const words[] = {"user", "mnt", "net"};
	static ino_t own[sizeof words / sizeof *words]; /* this process stays where it is */
	char name[64];
	struct stat seen;
	snprintf(name, sizeof name, "/proc/self/ns/%s", words[kind]);
	if (!own[kind] && stat(name, &seen) == 0)
		own[kind] = seen.st_ino;
	snprintf(name, sizeof name, "/proc/%d/ns/%s", thread, words[kind]);
	return stat(name, &seen) == 0 && seen.st_ino != own[kind];
}

/* The user namespace of the thread that was asked about last: only calls that the gate sees change it. The number may be another thread's later. */
static struct {
	pid_t thread;
	bool is_other;
	int64_t read_at;
} known_users;

void gate_process_forget(void) { known_users.thread = 0; }

bool gate_process_has_own(pid_t thread, enum gate_namespace kind)
{
	if (kind != GATE_USERS)
		return is_in_other(thread, kind);
	int64_t now = gate_now_s();
	if (known_users.thread != thread || known_users.read_at != now) {
		known_users.is_other = is_in_other(thread, kind);
		known_users.thread = thread;
		known_users.read_at = now;
	}
	return known_users.is_other;
}

static int64_t ns_of(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t gate_process_start(pid_t thread)
{
	enum { START_FIELD = 22, FIRST_AFTER_NAME = 3 };
	char line[1024];
	if (read_of_process(thread, "stat", line, sizeof line) == 0)
		return 0;
	/* The name may hold blanks and parentheses. */
	const char *at = strrchr(line, ')');
	for (int field = FIRST_AFTER_NAME; at && field <= START_FIELD; field++)
		at = strchr(at + 1, ' ');
	if (!at)
		return 0;
	int64_t ticks = strtoll(at, NULL, 10);
	return ns_of(CLOCK_REALTIME) - ns_of(CLOCK_BOOTTIME) + ticks * (1000000000 / sysconf(_SC_CLK_TCK));
}
