/* Compiled for macOS and not yet run there. */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <libproc.h>
#include <limits.h>
#include <mach-o/dyld.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PROCESSES_MAX = 16384 };

/* Orphans become children of launchd. Processes that a session leaves are found by their session number while they keep it; a
 * daemon that creates its own session escapes. */
const bool system_adopts_orphans = false;

static char program[PATH_MAX];

/* A process cannot rename itself here; it is listed under its program's name. */
void system_init(const char *name)
{
	(void)name;
	char path[PATH_MAX];
	uint32_t length = sizeof path;
	if (_NSGetExecutablePath(path, &length) < 0 || !realpath(path, program))
		program[0] = 0;
}

/* Uses the path: after an upgrade has replaced the file, new keepers run the new program. */
const char *system_program(void) { return program; }

static bool is_among(pid_t pid, const pid_t *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (found[i] == pid)
			return true;
	return false;
}

size_t system_add_strays(pid_t session, pid_t *found, size_t count, size_t max)
{
	static pid_t all[PROCESSES_MAX];
	int bytes = proc_listpids(PROC_ALL_PIDS, 0, all, sizeof all);
	size_t total = bytes > 0 ? (size_t)bytes / sizeof *all : 0, below = count;
	for (size_t i = 0; i < total && count < max; i++)
		if (all[i] > 0 && getsid(all[i]) == session && !is_among(all[i], found, below))
			found[count++] = all[i];
	return count;
}

bool system_is_same_user(int socket)
{
	uid_t user;
	gid_t group;
	return getpeereid(socket, &user, &group) == 0 && user == geteuid();
}

pid_t system_peer(int socket)
{
	pid_t peer;
	socklen_t length = sizeof peer;
	return getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &peer, &length) == 0 ? peer : 0;
}

/* Input is in the program's queue as soon as it is written. */
unsigned system_unread(int slave)
{
	int unread = 0;
	return slave >= 0 && ioctl(slave, FIONREAD, &unread) == 0 ? (unsigned)unread : 0;
}

int system_open_master(const char *ptmx)
{
	(void)ptmx;
	errno = ENOSYS;
	return -1;
}

int system_open_slave(int master)
{
	char path[128]; /* the maximum length of this request's result */
	return ioctl(master, TIOCPTYGNAME, path) < 0 ? -1 : fd_kept(open(path, O_RDWR | O_NOCTTY));
}

void fd_close_from(int first) { fd_close_listed("/dev/fd", first); }
