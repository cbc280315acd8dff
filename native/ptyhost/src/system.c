#include "system.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Set afterwards, because not every system sets it at birth: with one thread nothing can come in between. */
int fd_kept(int fd)
{
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

int fd_nonblocking(int fd)
{
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return fd;
}

bool fd_pair_kept(int result, const int pair[2])
{
	if (result < 0)
		return false;
	fd_kept(pair[0]);
	fd_kept(pair[1]);
	return true;
}

void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void signals_reset(void)
{
	sigset_t none;
	sigemptyset(&none);
	for (int signal_number = 1; signal_number < NSIG; signal_number++)
		signal(signal_number, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}
