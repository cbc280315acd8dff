#include "container.h"
#include "gate.h"
#include "protocol.h"
#include "system.h"
#include "wall_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct wall_options options;
static bool is_gated;

void wall_report(enum wall_report_kind kind, int32_t value)
{
	struct wall_report record = {.kind = kind, .value = value};
	while (send(WALL_REPORT_FD, &record, sizeof record, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static void close_foreign(void)
{
	fd_kept(WALL_REPORT_FD);
	/* The program would inherit any open descriptor: bubblewrap's, and those that an ancestor left open. */
	for (int fd = STANDARD_DESCRIPTORS; fd < WALL_REPORT_FD; fd++)
		if (!is_gated || fd != WALL_GATE_FD)
			close(fd);
	if (is_gated)
		fd_kept(WALL_GATE_FD);
	fd_close_from(WALL_REPORT_FD + 1);
}

static void fail_start(int pipe_fd, enum spawn_stage stage)
{
	int32_t failure = (int32_t)stage << 16 | errno;
	while (write(pipe_fd, &failure, sizeof failure) < 0 && errno == EINTR)
		;
	_exit(127);
}

static void become_program(int pipe_fd, char **argv)
{
	signals_reset();
	setsid();
	if (ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0)
		fail_start(pipe_fd, SPAWN_PTY);
	wall_report(WALL_HELLO, 0);
	wall_limit_process(&options);
	if (!options.container) /* a container has its own file system */
		wall_landlock(&options);
	if (is_gated)
		gate_enter(WALL_GATE_FD);
	execvp(argv[0], argv);
	fail_start(pipe_fd, SPAWN_EXEC);
}

static pid_t start_program(char **argv)
{
	int pipe_fds[2];
	if (!fd_pair_kept(pipe(pipe_fds), pipe_fds))
		return -1;
	pid_t program = fork();
	if (program == 0)
		become_program(pipe_fds[1], argv);
	int32_t failure = program < 0 ? SPAWN_WALL << 16 | errno : 0;
	close(pipe_fds[1]);
	if (is_gated)
		close(WALL_GATE_FD);
	if (program > 0 && read(pipe_fds[0], &failure, sizeof failure) < (ssize_t)sizeof failure)
		failure = 0;
	close(pipe_fds[0]);
	wall_report(WALL_STARTED, failure);
	return failure ? -1 : program;
}

void wall_let_go_of_terminal(void)
{
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

pid_t wall_start_relay(const char *socket_path)
{
	int listener = fd_kept(wall_relay_listen());
	if (listener < 0)
		return -1;
	pid_t relay = fork();
	if (relay == 0) {
		wall_let_go_of_terminal();
		close(WALL_REPORT_FD);
		wall_relay(listener, socket_path);
	}
	close(listener);
	return relay;
}

static long long now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Runs until the program has ended and its remaining processes have ended or their time is over. The end of this process ends the sandbox. */
static void reap_until_end(pid_t program, pid_t relay)
{
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	long long latest = -1;
	for (;;) {
		int status;
		pid_t ended;
		while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
			if (ended != program)
				continue;
			wall_report(WALL_ENDED, status);
			latest = now_ms() + WALL_LEFT_MS;
			if (relay > 0)
				kill(relay, SIGKILL);
		}
		long long left = latest - now_ms();
		if (latest >= 0 && (ended < 0 || left <= 0))
			return;
		struct timespec timeout = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
		sigtimedwait(&child, NULL, latest < 0 ? NULL : &timeout);
	}
}

void wall_go_first(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);
	static const char score[] = "500";
	/* Without it the kernel chooses by size alone. */
	if (fd >= 0 && write(fd, score, sizeof score - 1) < 0)
		errno = 0;
	if (fd >= 0)
		close(fd);
}

void wall_settle_inside(const char *name)
{
	close_foreign();
	prctl(PR_SET_NAME, name);
	wall_go_first();
	/* No process inside may inspect or trace this process, or reach its files, which are from outside. */
	prctl(PR_SET_DUMPABLE, 0);
}

static int run_program(char **program, pid_t relay)
{
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	pid_t started = start_program(program);
	if (started < 0)
		return 127;
	wall_let_go_of_terminal();
	reap_until_end(started, relay);
	return 0;
}

static int refuse(enum spawn_stage stage)
{
	wall_report(WALL_STARTED, stage << 16 | errno);
	return 127;
}

int wall_inside_main(int argc, char **argv)
{
	(void)argc;
	char **program = wall_options_read(argv + 2, &options);
	is_gated = strcmp(argv[1], WALL_GATED_INSIDE) == 0;
	if (!program || !*program)
		return 127;
	wall_settle_inside("agentpty-inside");
	pid_t relay = options.relay ? wall_start_relay(options.relay) : 0;
	return relay < 0 ? refuse(SPAWN_WALL) : run_program(program, relay);
}

int wall_inside_container(const struct wall_options *given, char **program)
{
	options = *given;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	wall_settle_inside("agentpty-inside");
	if (options.cwd && chdir(options.cwd) < 0)
		return refuse(SPAWN_CWD);
	return container_confine(WALL_REPORT_FD + 1) ? run_program(program, 0) : refuse(SPAWN_WALL);
}
