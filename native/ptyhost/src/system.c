#include "system.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Set after creation, because not every system can set it atomically. With one thread, no fork can happen in between. */
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

/* Reading the list opens a descriptor itself, so descriptors are closed in rounds until none is found. */
void fd_close_listed(const char *folder, int first)
{
	bool has_closed = true;
	while (has_closed) {
		has_closed = false;
		DIR *list = opendir(folder);
		for (struct dirent *entry; list && (entry = readdir(list));) {
			int fd = atoi(entry->d_name);
			if (fd >= first && fd != dirfd(list) && close(fd) == 0)
				has_closed = true;
		}
		if (list)
			closedir(list);
	}
}

void signals_reset(void)
{
	sigset_t none;
	sigemptyset(&none);
	for (int signal_number = 1; signal_number < NSIG; signal_number++)
		signal(signal_number, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}
