/*
 * Process 1 of a container: reaps processes, enforces the limits and ends last.
 *
 * Uses no control groups: moving a process into one makes the kernel wait for all processors, some 10 ms for each process that enters.
 */
#include "container.h"

#include "limits.h"
#include "system.h"
#include "wall_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READY_FD = 3, PROGRAM_FD = 4, WORDS_MAX = 24 };

static struct wall_options options;

static pid_t found[TREE_PROCESSES_MAX];

/* Processes that have entered are not children of this one, so the process tree does not contain them. */
static size_t find_others(void)
{
	DIR *folder = opendir("/proc");
	size_t count = 0;
	for (struct dirent *entry; folder && count < TREE_PROCESSES_MAX && (entry = readdir(folder));) {
		pid_t pid = atoi(entry->d_name);
		if (pid > 1)
			found[count++] = pid;
	}
	if (folder)
		closedir(folder);
	return count;
}

static int hold_limits(void)
{
	static const struct wall_groups none;
	if (!options.memory && !options.processes)
		return -1;
	return wall_hold(&options, &none, &(struct wall_seen){.pids = found, .count = find_others(), .all = -1, .terminal = -1});
}

/* Starts this binary again inside. The kernel assigns a process to the user namespace in which its program was started, and the owner of that
 * namespace may inspect it. */
static void become_init(char **limits, size_t count)
{
	char *argv[2 + WORDS_MAX] = {(char *)"agentpty", (char *)CONTAINER_INIT};
	memcpy(argv + 2, limits, (count + 1) * sizeof *argv); /* with the "--" after them */
	char *environment[] = {NULL};
	syscall(SYS_execveat, PROGRAM_FD, "", argv, environment, 0x1000 /* AT_EMPTY_PATH */);
	container_complain("process", "1");
	_exit(1);
}

void container_begin(const struct container_options *container, int ready)
{
	/* Both numbers are above the descriptors they replace, because the two may overlap. */
	int program = fcntl(open(system_program(), O_RDONLY), F_DUPFD, 16), socket = fcntl(ready, F_DUPFD, 16);
	if (!container_layers_mount(container) || !container_root_enter(container))
		_exit(1);
	if (dup2(program, PROGRAM_FD) < 0 || dup2(socket, READY_FD) < 0 || !container_confine(PROGRAM_FD + 1)) {
		container_complain("what programs may do in", "it");
		_exit(1);
	}
	fcntl(PROGRAM_FD, F_SETFD, FD_CLOEXEC);
	if (container->limits.count > WORDS_MAX - 1)
		_exit(1);
	become_init(container->limits.argv, container->limits.count);
}

int container_init_main(int argc, char **argv)
{
	if (argc < 3 || !wall_options_read(argv + 2, &options))
		return 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, CONTAINER_INIT_NAME);
	/* No process inside may inspect or trace this process, or reach its files. */
	prctl(PR_SET_DUMPABLE, 0);
	wall_go_first();
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_SETMASK, &child, NULL);
	char byte = 0;
	if ((options.relay && wall_start_relay(options.relay) < 0) || write(READY_FD, &byte, 1) != 1)
		return 1;
	close(READY_FD);
	wall_let_go_of_terminal();
	for (;;) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		int pause = hold_limits();
		struct timespec timeout = {.tv_sec = pause / 1000, .tv_nsec = pause % 1000 * 1000000l};
		sigtimedwait(&child, NULL, pause < 0 ? NULL : &timeout);
	}
}
