#include "gate_reach.h"

#include "gate_arguments.h"
#include "gate_files.h"
#include "gate_identity.h"
#include "gate_mounts.h"
#include "gate_process.h"
#include "gate_state.h"
#include "limits.h"
#include "proctree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { SERVERS_MAX = 64, NAME_BYTES = 32, GENERATIONS_MAX = 4096, NR_PIDFD_SEND_SIGNAL = 424 };

static struct server {
	char name[NAME_BYTES];
	struct gate_spot spot;
	bool is_beginning;
} servers[SERVERS_MAX];
static size_t server_count;

/* ---- the table ---- */

static void read_row(char *line)
{
	struct server *server = &servers[server_count];
	int path = 0;
	line[strcspn(line, "\n")] = 0;
	if (server_count == SERVERS_MAX || sscanf(line, "server %31s %n", server->name, &path) != 1 || line[path] != '/')
		return;
	size_t length = strlen(line);
	server->is_beginning = line[length - 1] == '*';
	if (server->is_beginning)
		line[length - 1] = 0;
	server_count += gate_spot_of(line + path, &server->spot);
}

void gate_reach_read(int table)
{
	static char line[PATH_MAX + 64];
	FILE *rows = fdopen(table, "r");
	server_count = 0;
	while (rows && fgets(line, sizeof line, rows))
		read_row(line);
	if (rows)
		fclose(rows);
}

static const char *server_at(const struct gate_spot *spot)
{
	for (size_t i = 0; i < server_count; i++) {
		const struct gate_spot *known = &servers[i].spot;
		size_t length = strlen(known->path) + !servers[i].is_beginning;
		if (known->device == spot->device && strncmp(known->path, spot->path, length) == 0)
			return servers[i].name;
	}
	return NULL;
}

/* ---- processes ---- */

/* The supervisor is below the keeper, but no process of the terminal. */
static bool is_outside(pid_t pid)
{
	const pid_t keeper = getppid();
	struct process_stat stat;
	if (pid == keeper || pid == getpid())
		return true;
	for (int i = 0; i < GENERATIONS_MAX && process_stat(pid, &stat) == 0; i++) {
		if (stat.parent == keeper)
			return false;
		if (stat.parent <= 1)
			return true;
		pid = stat.parent;
	}
	return false; /* it has ended */
}

/* What a program in a name space of its own can name is in it, and so below the program. */
static bool has_own_numbers(pid_t thread)
{
	char name[64];
	struct stat theirs, ours;
	snprintf(name, sizeof name, "/proc/%d/ns/pid", thread);
	return stat(name, &theirs) == 0 && stat("/proc/self/ns/pid", &ours) == 0 && theirs.st_ino != ours.st_ino;
}

static bool show_process(pid_t pid, char *shown)
{
	char program[PROGRAM_BYTES] = "", command[COMMAND_BYTES];
	gate_process_describe(pid, program, command);
	for (char *at = strchr(program, '/'); at; at = strchr(at, '/'))
		*at = '_';
	snprintf(shown, PATH_MAX, "%s/%d %s", program, pid, command);
	return *program;
}

/* A process of the group: its leader may have ended. */
static pid_t member_of(pid_t group)
{
	static pid_t found[TREE_PROCESSES_MAX];
	struct process_stat stat;
	if (process_stat(group, &stat) == 0)
		return group;
	size_t count = process_descendants(1, found, NULL, TREE_PROCESSES_MAX);
	for (size_t i = 0; i < count; i++)
		if (process_stat(found[i], &stat) == 0 && stat.group == group)
			return found[i];
	return 0;
}

/* A field of a descriptor's description: `flags`, in octal, or `Pid`. Negative when it cannot be read. */
static long describe_descriptor(const struct gate_trap *trap, const char *field, int base)
{
	char name[64], line[128];
	snprintf(name, sizeof name, "/proc/%u/fdinfo/%d", trap->notice->pid, (int)trap->notice->data.args[0]);
	FILE *lines = fopen(name, "re");
	long value = -1;
	size_t length = strlen(field);
	while (lines && fgets(line, sizeof line, lines))
		if (strncmp(line, field, length) == 0 && line[length] == ':')
			value = strtol(line + length + 1, NULL, base);
	if (lines)
		fclose(lines);
	return value;
}

static bool signals_outside(struct gate_trap *trap)
{
	char *shown = trap->place.shown;
	bool has_descriptor = trap->notice->data.nr == NR_PIDFD_SEND_SIGNAL;
	pid_t pid = has_descriptor ? (pid_t)describe_descriptor(trap, "Pid", 10) : (pid_t)trap->notice->data.args[0];
	if (!has_descriptor && pid == -1) {
		snprintf(shown, PATH_MAX, "every process/of this user");
		return true;
	}
	/* 0: its own group. */
	pid = pid < 0 ? member_of(-pid) : pid;
	return pid > 0 && is_outside(pid) && show_process(pid, shown);
}

static bool traces_outside(struct gate_trap *trap)
{
	pid_t pid = (pid_t)trap->notice->data.args[trap->notice->data.nr == SYS_ptrace ? 1 : 0];
	return pid > 0 && is_outside(pid) && show_process(pid, trap->place.shown);
}

bool gate_reaches_memory(struct gate_trap *trap)
{
	pid_t pid = trap->place.spot.is_proc && strcmp(trap->place.name, "mem") == 0 ? (pid_t)strtol(trap->place.spot.path + 1, NULL, 10) : 0;
	return pid > 0 && is_outside(pid) && show_process(pid, trap->place.shown);
}

/* ---- servers ---- */

static int socket_to(const struct gate_place *place, int *problem)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int held = gate_file_hold(place);
	int fd = held < 0 ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", held);
	*problem = fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0 ? errno : 0;
	if (held >= 0)
		close(held);
	return fd;
}

/* One that the terminal has started itself is below the gate. A server that cannot be reached does nothing. */
static bool is_server_outside(const struct gate_place *place)
{
	struct ucred peer = {.pid = 0};
	socklen_t size = sizeof peer;
	int problem, fd = socket_to(place, &problem);
	bool is_known = !problem && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
	if (fd >= 0)
		close(fd);
	return is_known && (peer.pid == 0 || is_outside(peer.pid));
}

static bool connects_outside(struct gate_trap *trap)
{
	if (server_count == 0 || !gate_read_socket_path(trap->notice, trap->path))
		return false;
	const struct gate_caller caller = {.thread = (pid_t)trap->notice->pid, .folder = AT_FDCWD};
	if (gate_resolve(&caller, trap->path, END_FOLLOWED, &trap->place) != 0 || !S_ISSOCK(trap->place.mode))
		return false;
	const char *name = server_at(&trap->place.spot);
	if (!name || !is_server_outside(&trap->place))
		return false;
	char shown[PATH_MAX];
	snprintf(shown, sizeof shown, "%s", trap->place.shown);
	snprintf(trap->place.shown, sizeof trap->place.shown, "%.*s%.*s", NAME_BYTES, name, PATH_MAX - NAME_BYTES - 1, shown);
	return true;
}

bool gate_reaches_out(struct gate_trap *trap)
{
	switch (trap->call->verb) {
	case GATE_CONNECT:
		return connects_outside(trap);
	case GATE_SIGNAL:
		return !has_own_numbers((pid_t)trap->notice->pid) && signals_outside(trap);
	default:
		return !has_own_numbers((pid_t)trap->notice->pid) && traces_outside(trap);
	}
}

struct gate_result gate_reach_connect(const struct gate_trap *trap)
{
	struct gate_result result = {.fd = -1};
	long flags = describe_descriptor(trap, "flags", 8);
	if (flags < 0) {
		result.problem = EACCES;
		return result;
	}
	gate_be_user(true);
	result.fd = socket_to(&trap->place, &result.problem);
	gate_be_user(false);
	if (result.problem && result.fd >= 0) {
		close(result.fd);
		result.fd = -1;
	}
	if (result.fd >= 0 && !(flags & O_NONBLOCK))
		fcntl(result.fd, F_SETFL, 0);
	result.is_replacement = true;
	result.replaced = (int)trap->notice->data.args[0];
	result.is_close_on_exec = flags & O_CLOEXEC;
	return result;
}
