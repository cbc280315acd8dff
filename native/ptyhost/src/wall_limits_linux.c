#include "wall_parts.h"

#include "limits.h"
#include "proctree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define GROUP_PREFIX "agentpty-wall-"

/* ---- limits of one process ---- */

static void limit(int resource, uint64_t value)
{
	struct rlimit now;
	if (value == 0 || getrlimit(resource, &now) < 0)
		return;
	rlim_t most = now.rlim_max == RLIM_INFINITY || value < now.rlim_max ? (rlim_t)value : now.rlim_max;
	setrlimit(resource, &(struct rlimit){most, most});
}

/* Counted for each user namespace since Linux 5.14, before that for all processes of the user; never for root. */
static bool kernel_counts_processes(void)
{
	struct utsname system;
	int major = 0, minor = 0;
	return getuid() != 0 && uname(&system) == 0 && sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
	       (major > 5 || (major == 5 && minor >= 14));
}

void wall_limit_process(const struct wall_options *options)
{
	limit(RLIMIT_CPU, options->cpu_seconds);
	limit(RLIMIT_FSIZE, options->file_size);
	if (kernel_counts_processes())
		limit(RLIMIT_NPROC, options->processes);
}

/* ---- limits of all processes, by control groups ---- */

static bool write_text(const char *folder, const char *name, const char *text)
{
	char path[640];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return is_written;
}

static bool write_number(const char *folder, const char *name, uint64_t number)
{
	char text[32];
	snprintf(text, sizeof text, "%llu", (unsigned long long)number);
	return write_text(folder, name, text);
}

/* Removes the groups of sandboxes that were killed before they could do so. A group in use is not removed. */
static void sweep(const char *parent)
{
	DIR *folder = opendir(parent);
	int removed = 0;
	for (struct dirent *entry; folder && removed < WALL_SWEEP_MAX && (entry = readdir(folder));) {
		int pid = strncmp(entry->d_name, GROUP_PREFIX, sizeof GROUP_PREFIX - 1) == 0 ? atoi(entry->d_name + sizeof GROUP_PREFIX - 1) : 0;
		if (pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH)
			continue;
		char path[1024 + 256 + 2];
		snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
		removed += rmdir(path) == 0;
	}
	if (folder)
		closedir(folder);
}

/* Creates a group below `parent` with all limits available there; false if there are none. */
static bool make_in(struct wall_groups *groups, const char *parent, const struct wall_options *options)
{
	if (groups->count == sizeof groups->folders / sizeof *groups->folders)
		return false;
	char *folder = groups->folders[groups->count];
	sweep(parent);
	int wanted = snprintf(folder, sizeof *groups->folders, "%s/" GROUP_PREFIX "%d", parent, (int)getpid());
	if (wanted >= (int)sizeof *groups->folders || mkdir(folder, 0755) < 0)
		return false;
	bool memory = options->memory && !groups->memory &&
	              (write_number(folder, "memory.max", options->memory) || write_number(folder, "memory.limit_in_bytes", options->memory));
	bool processes = options->processes && !groups->processes && write_number(folder, "pids.max", options->processes);
	if (memory) /* otherwise memory above the limit is swapped out; needs a kernel that counts swap */
		write_text(folder, "memory.swap.max", "0");
	if (!memory && !processes) {
		rmdir(folder);
		return false;
	}
	groups->memory |= memory;
	groups->processes |= processes;
	groups->count++;
	return true;
}

/* Uses the group of this process or a sibling of it: version 2 allows limits only on groups without processes. */
static void make_near(struct wall_groups *groups, const char *root, char *own, const struct wall_options *options)
{
	char parent[1024];
	for (int level = 0; level < 2; level++) {
		snprintf(parent, sizeof parent, "%s%s", root, strcmp(own, "/") == 0 ? "" : own);
		if (make_in(groups, parent, options))
			return;
		char *last = strrchr(own, '/');
		if (!last || own[1] == 0)
			return;
		last[last == own ? 1 : 0] = 0;
	}
}

void wall_groups_make(struct wall_groups *groups, const struct wall_options *options)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[512], root[96];
	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = 0;
		char *names = strchr(line, ':'), *own = names ? strchr(names + 1, ':') : NULL;
		if (!own)
			continue;
		*own++ = 0;
		names++;
		if (strcmp(names, "memory") == 0 || strcmp(names, "pids") == 0)
			snprintf(root, sizeof root, "/sys/fs/cgroup/%s", names);
		else if (*names == 0)
			snprintf(root, sizeof root, "/sys/fs/cgroup");
		else
			continue;
		make_near(groups, root, own, options);
	}
	if (file)
		fclose(file);
}

void wall_groups_join(const struct wall_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		write_number(groups->folders[i], "cgroup.procs", (uint64_t)getpid());
}

void wall_groups_remove(const struct wall_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		rmdir(groups->folders[i]);
}

/* ---- limits by polling, without control groups ---- */

static pid_t found[TREE_PROCESSES_MAX];

/* The private memory of a process, without mapped files, which are shared. */
static uint64_t own_bytes(pid_t pid)
{
	char path[64], text[128];
	snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	unsigned long long resident = 0, shared = 0;
	if (count <= 0)
		return 0;
	text[count] = 0;
	if (sscanf(text, "%*u %llu %llu", &resident, &shared) != 2 || shared > resident)
		return 0;
	return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void say(int terminal, const char *what)
{
	if (terminal < 0)
		return;
	char text[128];
	int count = snprintf(text, sizeof text, "\r\n[agentpty: the sandbox's limit of %s is reached]\r\n", what);
	if (write(terminal, text, (size_t)count) < 0)
		errno = 0; /* the terminal accepts no more; the program ends all the same */
}

int wall_hold(const struct wall_options *options, const struct wall_groups *groups, const struct wall_seen *seen)
{
	uint64_t memory_max = groups->memory ? 0 : options->memory;
	uint64_t processes_max = groups->processes || kernel_counts_processes() ? 0 : options->processes;
	if (!memory_max && !processes_max)
		return -1;
	if (processes_max && seen->count > processes_max) {
		say(seen->terminal, "processes");
		kill(seen->all, SIGKILL);
		return WALL_CHECK_MS;
	}
	uint64_t sum = 0, most = 0;
	size_t largest = 0;
	for (size_t i = 0; memory_max && i < seen->count; i++) {
		uint64_t bytes = own_bytes(seen->pids[i]);
		sum += bytes;
		if (bytes >= most) {
			most = bytes;
			largest = i;
		}
	}
	if (memory_max && sum > memory_max) {
		say(seen->terminal, "memory");
		kill(seen->pids[largest], SIGKILL);
		return WALL_CHECK_MS;
	}
	bool is_near = sum > memory_max / 4 || (processes_max && seen->count > processes_max / 4);
	return is_near ? WALL_CHECK_MS : WALL_REST_MS;
}

int wall_watch(const struct wall_options *options, const struct wall_groups *groups, pid_t bwrap, int terminal)
{
	if ((groups->memory || !options->memory) && (groups->processes || !options->processes))
		return -1;
	size_t count = process_descendants(bwrap, found, NULL, TREE_PROCESSES_MAX);
	/* Process 1 of the sandbox is bubblewrap's only child: its end ends all others immediately. */
	return wall_hold(options, groups, &(struct wall_seen){.pids = found, .count = count, .all = found[0], .terminal = terminal});
}
