#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { TIMER_SLACK_NS = 1000 };

const bool system_adopts_orphans = true;

void system_init(const char *name)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, name);
	/* The first samples of a program are a fifth of a millisecond apart; the default slack would blur them. */
	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
}

/* Uses the running image instead of its path, because an upgrade may have replaced the file. */
const char *system_program(void) { return "/proc/self/exe"; }

/* The keeper is the subreaper of its session, so no process escapes. */
size_t system_add_strays(pid_t session, pid_t *found, size_t count, size_t max)
{
	(void)session;
	(void)found;
	(void)max;
	return count;
}

bool system_is_same_user(int socket)
{
	struct ucred peer;
	socklen_t length = sizeof peer;
	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

pid_t system_peer(int socket)
{
	struct ucred peer;
	socklen_t length = sizeof peer;
	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer.pid : 0;
}

/* Written bytes reach the line discipline through a kernel worker, which a busy machine may delay for a second. Polling the
 * program's side runs it first, so that no written byte is still on its way. */
unsigned system_unread(int slave)
{
	int unread = 0;
	struct pollfd polled = {.fd = slave, .events = POLLIN};
	if (slave < 0 || poll(&polled, 1, 0) < 0 || ioctl(slave, FIONREAD, &unread) < 0)
		return 0;
	return (unsigned)unread;
}

int system_open_master(const char *ptmx)
{
	int fd = open(ptmx, O_RDWR | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
	struct statfs system;
	/* The owner of the container names the path, but a process inside could have replaced it. */
	if (fd < 0 || (fstatfs(fd, &system) == 0 && system.f_type == DEVPTS_SUPER_MAGIC))
		return fd;
	close(fd);
	errno = ENOTTY;
	return -1;
}

int system_open_slave(int master) { return ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC); }

void fd_close_from(int first)
{
	if (syscall(SYS_close_range, first, ~0u, 0) < 0)
		fd_close_listed("/proc/self/fd", first); /* for Linux before 5.9 */
}
