/* Enters a container: for terminals, which the wall starts there, and for programs on pipes. */
#include "container.h"

#include "proctree.h"
#include "system.h"
#include "wall_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif

enum { SWEEP_ROUNDS_MAX = 5000, CAPABILITIES = 64 };

/* ---- joining ---- */

static bool is_ours(pid_t pid, unsigned long long ticks)
{
	struct process_stat stat;
	return process_stat(pid, &stat) == 0 && stat.start_ticks == ticks && strcmp(stat.name, CONTAINER_INIT_NAME) == 0;
}

/* The namespaces of the container that differ from ours. A process cannot enter its own. */
static int foreign_namespaces(pid_t pid)
{
	static const struct { const char *name; int flag; } kinds[] = {
		{"user", CLONE_NEWUSER}, {"mnt", CLONE_NEWNS}, {"pid", CLONE_NEWPID}, {"net", CLONE_NEWNET},
		{"ipc", CLONE_NEWIPC},   {"uts", CLONE_NEWUTS}, {"cgroup", CLONE_NEWCGROUP},
	};
	int flags = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char path[64], own[64], theirs[64];
		snprintf(path, sizeof path, "/proc/self/ns/%s", kinds[i].name);
		ssize_t own_length = readlink(path, own, sizeof own);
		snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, kinds[i].name);
		ssize_t length = readlink(path, theirs, sizeof theirs);
		if (length > 0 && (length != own_length || memcmp(own, theirs, (size_t)length) != 0))
			flags |= kinds[i].flag;
	}
	return flags;
}

bool container_join(const char *address)
{
	int pid;
	unsigned long long ticks;
	if (sscanf(address, "%d:%llu", &pid, &ticks) != 2) {
		errno = EINVAL;
		return false;
	}
	/* Opened before the check, so that the process joined is the process checked. */
	int process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		return false;
	bool has_joined = is_ours(pid, ticks);
	if (!has_joined)
		errno = ESRCH;
	if (has_joined)
		has_joined = setns(process, foreign_namespaces(pid)) == 0;
	close(process);
	return has_joined;
}

bool container_confine(int first_closed)
{
	fd_close_from(first_closed);
	for (unsigned long number = 0; number < CAPABILITIES; number++)
		if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) < 0)
			break; /* the kernel knows no more kinds */
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
	struct __user_cap_data_struct nothing[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
	return syscall(SYS_capset, &header, nothing) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && wall_filter_load();
}

/* ---- a program on pipes ---- */

static volatile sig_atomic_t child;

static void end_group(int signal_number)
{
	(void)signal_number;
	if (child > 0)
		kill(-child, SIGKILL);
}

static int fail(const char *what)
{
	fprintf(stderr, "cannot enter the container: %s: %s\n", what, strerror(errno));
	return 126;
}

static void become_program(char **argv, const struct wall_options *options)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signals_reset();
	setsid();
	wall_limit_process(options);
	if (options->cwd && chdir(options->cwd) < 0)
		_exit(fail(options->cwd));
	if (!container_confine(STANDARD_DESCRIPTORS))
		_exit(fail("rights"));
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static int wait_for_child(void)
{
	int status;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return fail("waiting");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int container_enter_main(int argc, char **argv)
{
	struct wall_options options;
	char **program = argc > 4 ? wall_options_read(argv + 3, &options) : NULL;
	if (!program || !program[0]) {
		errno = EINVAL;
		return fail("options");
	}
	prctl(PR_SET_NAME, "agentpty-enter");
	sigset_t ending;
	sigemptyset(&ending);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	if (!container_join(argv[2]))
		return fail(argv[2]);
	child = fork();
	if (child == 0)
		become_program(program, &options);
	if (child < 0)
		return fail("a process");
	sigaction(SIGTERM, &(struct sigaction){.sa_handler = end_group}, NULL);
	sigprocmask(SIG_UNBLOCK, &ending, NULL);
	return wait_for_child();
}

/* ---- ending all programs ---- */

static int sweep(void)
{
	for (int round = 0; round < SWEEP_ROUNDS_MAX; round++) {
		/* Signals every process in the namespace but process 1 and this one. Processes reaped late count until they are reaped. */
		if (kill(-1, SIGKILL) < 0 && errno == ESRCH)
			return 0;
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	return 1;
}

int container_sweep_main(int argc, char **argv)
{
	if (argc < 3 || !container_join(argv[2]))
		return fail(argc < 3 ? "options" : argv[2]);
	child = fork();
	if (child == 0)
		_exit(sweep());
	return child < 0 ? fail("a process") : wait_for_child();
}
