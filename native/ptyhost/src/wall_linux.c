#include "wall.h"

#include "container.h"
#include "protocol.h"
#include "system.h"
#include "wall_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct {
	struct wall_options options;
	struct wall_groups groups;
	pid_t bwrap;
	int report;
	pid_t program;
	bool is_gated, is_reported, has_ended;
	int status;
} wall;

/* Reports once, whichever event is first. */
static void report_to_keeper(int32_t failure)
{
	if (wall.is_reported)
		return;
	wall.is_reported = true;
	struct wall_start start = {.failure = failure, .pid = wall.program};
	while (write(WALL_START_FD, &start, sizeof start) < 0 && errno == EINTR)
		;
	close(WALL_START_FD);
}

static int refuse(int error)
{
	report_to_keeper(SPAWN_WALL << 16 | error);
	return 127;
}

static bool open_fixed(int fd, int fixed)
{
	if (fd < 0 || dup2(fd, fixed) < 0)
		return false;
	if (fd != fixed)
		close(fd);
	return true;
}

static void start_bwrap(char **bwrap, char **program)
{
	size_t own = (size_t)(program - bwrap) - 1, words = 0;
	while (program[words])
		words++;
	char **argv = calloc(own + wall.options.count + words + 10, sizeof *argv), **at = argv;
	int filter = wall_filter();
	if (!argv || !open_fixed(filter, WALL_FILTER_FD) ||
	    !open_fixed(open(system_program(), O_RDONLY), WALL_PROGRAM_FD) || fcntl(WALL_REPORT_FD, F_SETFD, 0) < 0 ||
	    (wall.is_gated && fcntl(WALL_GATE_FD, F_SETFD, 0) < 0))
		_exit(127);
	wall_groups_join(&wall.groups);
	memcpy(at, bwrap, own * sizeof *at);
	at += own;
	const char *const fixed[] = {"--seccomp", "12", "--as-pid-1", "--die-with-parent", "--", "/proc/self/fd/11",
	                             wall.is_gated ? WALL_GATED_INSIDE : WALL_INSIDE};
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		*at++ = (char *)fixed[i];
	memcpy(at, wall.options.argv, wall.options.count * sizeof *at);
	at += wall.options.count;
	*at++ = (char *)"--";
	memcpy(at, program, words * sizeof *at);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(argv[0], argv);
	_exit(127);
}

/* Ends like the program has ended, so that the keeper and the client see no difference. */
static int end_alike(int status)
{
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	sigset_t all;
	sigfillset(&all);
	signal(WTERMSIG(status), SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

/* Only a child of this process is in the PID namespace that it has joined. */
static void start_in_container(char **program)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!container_join(wall.options.container))
		_exit(127);
	pid_t inside = fork();
	if (inside == 0)
		_exit(wall_inside_container(&wall.options, program));
	int status = 127 << 8;
	/* This process keeps its end of the socket open: the wall outside notices its end when the socket closes. */
	while (inside > 0 && waitpid(inside, &status, 0) < 0 && errno == EINTR)
		;
	_exit(end_alike(status));
}

bool wall_report_take(int socket, struct wall_report *report, pid_t *sender, int flags)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(struct ucred))];
	} control;
	struct iovec piece = {report, sizeof *report};
	struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	ssize_t length;
	do
		length = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
	while (length < 0 && errno == EINTR);
	if (length != (ssize_t)sizeof *report)
		return false;
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_CREDENTIALS)
		return false;
	struct ucred credentials;
	memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
	*sender = credentials.pid;
	return true;
}

static void take_reports(void)
{
	struct wall_report report;
	pid_t sender;
	while (wall_report_take(wall.report, &report, &sender, MSG_DONTWAIT)) {
		if (report.kind == WALL_HELLO)
			wall.program = sender;
		if (report.kind == WALL_STARTED)
			report_to_keeper(report.value);
		if (report.kind == WALL_ENDED) {
			wall.has_ended = true;
			wall.status = report.value;
		}
	}
}

static void on_child(int signal_number) { (void)signal_number; }

static int watch_until_end(const sigset_t *unblocked)
{
	int status;
	for (;;) {
		take_reports();
		pid_t ended = waitpid(wall.bwrap, &status, WNOHANG);
		if (ended == wall.bwrap || (ended < 0 && errno == ECHILD))
			break;
		/* A container enforces its own limits. */
		int pause = wall.options.container ? -1 : wall_watch(&wall.options, &wall.groups, wall.bwrap, STDOUT_FILENO);
		struct timespec timeout = {.tv_sec = pause / 1000, .tv_nsec = pause % 1000 * 1000000l};
		struct pollfd polled = {.fd = wall.report, .events = POLLIN};
		/* Bubblewrap has the other end as well, so it closes with the last of them. */
		ppoll(&polled, 1, pause < 0 ? NULL : &timeout, unblocked);
	}
	take_reports();
	wall_groups_remove(&wall.groups);
	if (!wall.is_reported)
		return refuse(EPERM);
	if (!wall.has_ended) /* the whole sandbox was killed, and no process was left to report it */
		wall.status = WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL ? SIGKILL : status;
	return end_alike(wall.status);
}

int wall_main(int argc, char **argv)
{
	(void)argc;
	fd_kept(WALL_START_FD);
	wall.is_gated = strcmp(argv[0], WALL_GATED_PROGRAM) == 0;
	if (wall.is_gated)
		fd_kept(WALL_GATE_FD);
	prctl(PR_SET_NAME, WALL_PROGRAM);
	/* Without the keeper, no process would end the sandbox. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	char **bwrap = wall_options_read(argv + 1, &wall.options), **program = bwrap;
	while (program && *program && strcmp(*program, "--") != 0)
		program++;
	if (!program || !*program || !program[1] || (program == bwrap && !wall.options.container))
		return refuse(EINVAL);
	/* The terminal's signals are for the program; bubblewrap inherits that they are ignored. */
	static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU};
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
	int pair[2], on = 1;
	if (!fd_pair_kept(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), pair) ||
	    setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) < 0)
		return refuse(errno);
	wall.report = pair[0];
	if (!wall.options.container)
		wall_groups_make(&wall.groups, &wall.options);
	/* The program takes the terminal for its own session. */
	ioctl(STDIN_FILENO, TIOCNOTTY);
	sigset_t blocked, unblocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &unblocked);
	struct sigaction action = {.sa_handler = on_child};
	sigaction(SIGCHLD, &action, NULL);
	wall.bwrap = fork();
	if (wall.bwrap < 0)
		return refuse(errno);
	if (wall.bwrap == 0) {
		if (!open_fixed(pair[1], WALL_REPORT_FD))
			_exit(127);
		if (wall.options.container)
			start_in_container(program + 1);
		start_bwrap(bwrap, program + 1);
	}
	close(pair[1]);
	if (wall.is_gated)
		close(WALL_GATE_FD); /* without a program that has it, the keeper learns that there is no gate */
	return watch_until_end(&unblocked);
}
