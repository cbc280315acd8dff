#include "keeper.h"

#include "gate.h"
#include "limits.h"
#include "proctree.h"
#include "protocol.h"
#include "system.h"
#include "wall.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLAVE_FD = 3, CONTROL_FD = 4, FIXED_ARGUMENTS = 5 };

enum phase { RUNNING, HUNG_UP, TERMINATED, KILLING };

static struct {
	pid_t leader;
	pid_t program; /* the leader itself, except for a sandboxed program */
	bool is_gated;
	struct gate_keeping gate;
	bool leader_gone, childless, leave_daemons;
	enum phase phase;
	uint64_t grace_ns, deadline, kill_until;
	unsigned kill_rounds;
} keeper = {.gate = {.listener = -1, .requests = -1, .watch = -1}};

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

/* ---- starting one, inside ptyhost ---- */

pid_t keeper_spawn(const struct keeper_start *start)
{
	size_t argc = 0;
	while (start->argv[argc])
		argc++;
	char **argv = calloc(argc + FIXED_ARGUMENTS + 1, sizeof *argv);
	if (!argv)
		return -1;
	char nofile[32];
	snprintf(nofile, sizeof nofile, "%llu", (unsigned long long)start->nofile_soft);
	argv[0] = (char *)"ptyhost";
	argv[1] = (char *)(start->gate ? GATED_KEEPER_WORD : KEEPER_WORD);
	argv[2] = nofile;
	argv[3] = (char *)start->cwd;
	argv[4] = (char *)"--";
	memcpy(argv + FIXED_ARGUMENTS, start->argv, argc * sizeof *argv);

	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, start->slave, SLAVE_FD);
	posix_spawn_file_actions_adddup2(&actions, start->control, CONTROL_FD);
	if (start->gate) {
		posix_spawn_file_actions_adddup2(&actions, start->gate->keeper_channel, GATE_CHANNEL_FD);
		posix_spawn_file_actions_adddup2(&actions, start->gate->table, GATE_TABLE_FD);
	}
	posix_spawnattr_init(&attributes);
	sigset_t none;
	sigemptyset(&none);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	pid_t pid = -1;
	int error = posix_spawn(&pid, system_program(), &actions, &attributes, argv, start->envp);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	free(argv);
	if (error) {
		errno = error;
		return -1;
	}
	return pid;
}

/* ---- the keeper itself ---- */

static void report(enum keeper_record_kind kind, int32_t a, int32_t b)
{
	struct keeper_record record = {.kind = kind, .a = a, .b = b};
	while (write(CONTROL_FD, &record, sizeof record) < 0 && errno == EINTR)
		;
}

static void refuse_start(int pipe_fd, enum spawn_stage stage)
{
	int32_t failure = (int32_t)stage << 16 | errno;
	while (write(pipe_fd, &failure, sizeof failure) < 0 && errno == EINTR)
		;
	_exit(127);
}

static bool is_wall(char **argv) { return strcmp(argv[0], WALL_PROGRAM) == 0; }

static void become_program(int pipe_fd, int gate_fd, rlim_t nofile, const char *cwd, char **argv)
{
	signals_reset();
	setsid();
	if (ioctl(SLAVE_FD, TIOCSCTTY, 0) < 0)
		refuse_start(pipe_fd, SPAWN_PTY);
	for (int fd = 0; fd < 3; fd++)
		dup2(SLAVE_FD, fd);
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && nofile < limit.rlim_max) {
		limit.rlim_cur = nofile;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (chdir(cwd) < 0)
		refuse_start(pipe_fd, SPAWN_CWD);
	if (is_wall(argv)) { /* it is in this binary and reports the result of the start itself */
		if (gate_fd >= 0)
			argv[0] = (char *)WALL_GATED_PROGRAM;
		if (dup2(pipe_fd, WALL_START_FD) == WALL_START_FD && (gate_fd < 0 || dup2(gate_fd, WALL_GATE_FD) == WALL_GATE_FD))
			execv(system_program(), argv);
		refuse_start(pipe_fd, SPAWN_WALL);
	}
	if (gate_fd >= 0)
		gate_enter(gate_fd);
	execvp(argv[0], argv);
	refuse_start(pipe_fd, SPAWN_EXEC);
}

static void start_program(rlim_t nofile, const char *cwd, char **argv)
{
	int pipe_fds[2], gate_fds[2] = {-1, -1};
	if (!fd_pair_kept(pipe(pipe_fds), pipe_fds) ||
	    (keeper.is_gated && !fd_pair_kept(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, gate_fds), gate_fds))) {
		report(KEEPER_STARTED, 0, SPAWN_KEEPER << 16 | errno);
		exit(0);
	}
	keeper.leader = fork();
	if (keeper.leader == 0)
		become_program(pipe_fds[1], gate_fds[1], nofile, cwd, argv);
	int fork_error = errno;
	close(pipe_fds[1]);
	fd_close(&gate_fds[1]);
	if (keeper.is_gated && keeper.leader > 0)
		gate_begin(&keeper.gate, gate_fds[0], is_wall(argv));
	fd_close(&gate_fds[0]);
	struct wall_start start = {.failure = keeper.leader < 0 ? SPAWN_KEEPER << 16 | fork_error : 0, .pid = keeper.leader};
	/* A successful exec closes the pipe. A wall writes first; no data means that it has ended. */
	ssize_t length = keeper.leader > 0 ? read(pipe_fds[0], &start, sizeof start) : (ssize_t)sizeof start;
	if (length < (ssize_t)sizeof start.failure)
		start.failure = is_wall(argv) ? SPAWN_WALL << 16 | EPIPE : 0;
	close(pipe_fds[0]);
	close(SLAVE_FD);
	keeper.program = start.pid;
	report(KEEPER_STARTED, start.failure ? 0 : start.pid, start.failure);
	if (start.failure)
		exit(0);
}

static void reap(void)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == keeper.gate.supervisor && pid > 0)
			gate_restart(&keeper.gate);
		if (pid != keeper.leader)
			continue;
		keeper.leader_gone = true;
		report(KEEPER_EXITED, status, 0);
	}
	keeper.childless = pid < 0 && errno == ECHILD;
}

static pid_t targets[TREE_PROCESSES_MAX], target_parents[TREE_PROCESSES_MAX];

/* The processes to end: all descendants, except those that left the program's session when daemons are spared. */
static size_t find_targets(void)
{
	size_t below = process_descendants(getpid(), targets, target_parents, TREE_PROCESSES_MAX), kept = 0;
	size_t count = system_add_strays(keeper.leader, targets, below, TREE_PROCESSES_MAX);
	for (size_t i = 0; i < count; i++) {
		struct process_stat stat;
		/* The gate's supervisor ends by itself after the last program: until then, calls wait for it. */
		if (targets[i] == keeper.gate.supervisor || process_stat(targets[i], &stat) < 0 || stat.state == 'Z')
			continue;
		if (keeper.leave_daemons && stat.session != keeper.leader && stat.session != keeper.program)
			continue;
		target_parents[kept] = i < below ? target_parents[i] : 0;
		targets[kept++] = targets[i];
	}
	return kept;
}

static void signal_targets(int signal_number)
{
	size_t count = find_targets();
	for (size_t i = 0; i < count; i++) {
		process_signal(targets[i], target_parents[i], signal_number);
		if (signal_number != SIGKILL) /* a stopped process receives the signal only after it continues */
			process_signal(targets[i], target_parents[i], SIGCONT);
	}
}

static void leave(size_t remaining)
{
	report(KEEPER_EMPTY, (int32_t)remaining, 0);
	exit(0);
}

/* One step of HUP, TERM, KILL; called when the time of the current step is over or a child has ended. */
static void end_step(void)
{
	if (keeper.leave_daemons && keeper.leader_gone && find_targets() == 0)
		leave(0);
	if (now_ns() < keeper.deadline)
		return;
	if (keeper.phase == HUNG_UP) {
		signal_targets(SIGTERM);
		keeper.phase = TERMINATED;
		keeper.deadline = now_ns() + keeper.grace_ns;
		return;
	}
	if (keeper.phase != KILLING)
		keeper.kill_until = now_ns() + KILL_NS;
	keeper.phase = KILLING;
	if (++keeper.kill_rounds > KILL_ROUNDS_MIN && now_ns() > keeper.kill_until)
		leave(find_targets());
	signal_targets(SIGKILL);
	keeper.deadline = now_ns() + KILL_ROUND_NS;
}

static void begin_end(uint64_t grace_ms, bool leave_daemons)
{
	if (keeper.phase != RUNNING)
		return;
	keeper.leave_daemons = leave_daemons;
	keeper.grace_ns = grace_ms * MS;
	keeper.phase = HUNG_UP;
	keeper.deadline = now_ns() + keeper.grace_ns;
	signal_targets(SIGHUP);
}

static void on_control(void)
{
	struct keeper_record record;
	ssize_t length = read(CONTROL_FD, &record, sizeof record);
	if (length < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (length == (ssize_t)sizeof record && record.kind == KEEPER_END) {
		begin_end((uint64_t)record.a, record.b != 0);
		return;
	}
	/* ptyhost has ended: nothing will read this terminal again, so no process may be left behind. */
	begin_end(200, false);
}

static void on_child(int signal_number) { (void)signal_number; }

static void wait_for_something(const sigset_t *unblocked)
{
	struct timespec timeout = {0}, *limit = NULL;
	if (keeper.phase != RUNNING) {
		uint64_t now = now_ns(), left = keeper.deadline > now ? keeper.deadline - now : 0;
		timeout.tv_sec = (time_t)(left / (1000 * MS));
		timeout.tv_nsec = (long)(left % (1000 * MS));
		limit = &timeout;
	}
	static bool control_open = true;
	fd_set readable;
	FD_ZERO(&readable);
	if (control_open)
		FD_SET(CONTROL_FD, &readable);
	int highest = gate_wait_for(&keeper.gate, &readable);
	if (pselect((highest > CONTROL_FD ? highest : CONTROL_FD) + 1, &readable, NULL, NULL, limit, unblocked) <= 0)
		return;
	gate_serve_supervisor(&keeper.gate, &readable);
	if (FD_ISSET(CONTROL_FD, &readable)) {
		bool was_running = keeper.phase == RUNNING;
		on_control();
		/* While ending, the control socket reports nothing but its own close. */
		control_open = was_running && keeper.phase == RUNNING;
	}
}

/* Processes that left the tree are searched for only while ending, because no event reports their end. */
static bool nothing_is_left(void)
{
	return keeper.leader_gone && keeper.childless && (keeper.phase == RUNNING || find_targets() == 0);
}

int keeper_main(int argc, char **argv)
{
	if (argc < FIXED_ARGUMENTS + 1)
		return 2;
	system_init("agentpty-keeper");
	fd_kept(SLAVE_FD);
	fd_kept(CONTROL_FD);
	keeper.is_gated = strcmp(argv[1], GATED_KEEPER_WORD) == 0;
	if (keeper.is_gated) {
		fd_kept(GATE_CHANNEL_FD);
		fd_kept(GATE_TABLE_FD);
	}
	const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP, SIGTTOU};
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
	/* SIGCHLD is unblocked only while waiting, so none is missed between reaping and waiting. */
	sigset_t blocked, unblocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &unblocked);
	sigdelset(&unblocked, SIGCHLD);
	struct sigaction action = {.sa_handler = on_child};
	sigaction(SIGCHLD, &action, NULL);

	start_program(strtoull(argv[2], NULL, 10), argv[3], argv + FIXED_ARGUMENTS);
	for (;;) {
		reap();
		if (nothing_is_left())
			leave(0);
		if (keeper.phase != RUNNING)
			end_step();
		wait_for_something(&unblocked);
	}
}
