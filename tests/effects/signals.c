/*
 * A program that is interrupted all the time, as runtimes interrupt their threads, and makes files: each must be made once, and its descriptor must
 * be the result of the call.
 *
 *   signals FOLDER TRIES    prints how many calls failed, and how many descriptors are left open
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { INTERVAL_US = 60 };

static void ignore(int number) { (void)number; }

static void block_signals(bool is_blocked)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGALRM);
	sigprocmask(is_blocked ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL);
}

static int open_descriptors(void)
{
	int count = 0;
	DIR *folder = opendir("/proc/self/fd");
	while (folder && readdir(folder))
		count++;
	closedir(folder);
	return count;
}

int main(int count, char **arguments)
{
	if (count != 3 || chdir(arguments[1]) < 0)
		return 2;
	/* Calls begin anew after the signal. */
	struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};
	struct itimerval interval = {{0, INTERVAL_US}, {0, INTERVAL_US}}, none = {{0, 0}, {0, 0}};
	int failed = 0, before = open_descriptors();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &interval, NULL);
	for (int i = atoi(arguments[2]); i > 0; i--) {
		int fd = open("new", O_CREAT | O_EXCL | O_WRONLY, 0400);
		if (fd < 0 && failed++ == 0)
			printf("%s\n", strerror(errno));
		block_signals(true);
		close(fd);
		unlink("new");
		block_signals(false);
	}
	setitimer(ITIMER_REAL, &none, NULL);
	printf("failed %d, left open %d\n", failed, open_descriptors() - before);
	return failed > 0;
}
