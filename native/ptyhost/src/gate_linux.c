#include "gate.h"

#include "gate_filter.h"
#include "gate_keep.h"
#include "gate_memory.h"
#include "gate_messages.h"
#include "gate_reach.h"
#include "gate_state.h"
#include "gate_supervisor.h"
#include "gate_table.h"
#include "gate_watch.h"
#include "limits.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define GATE_NAME "agentpty-gate"
enum {
	STARTS_MAX = 100,     /* of the supervisor: one that dies again and again is not started for ever */
	LEFT_BEHIND_MAX = 500 /* supervisors that wait for a file system, and end when it answers */
};

/* ---- in ptyhost ---- */

void gate_ends_close(struct gate_ends *ends)
{
	fd_close(&ends->channel);
	fd_close(&ends->keeper_channel);
	fd_close(&ends->table);
}

bool gate_make(const char *table, struct gate_ends *ends)
{
	*ends = (struct gate_ends){-1, -1, -1};
	size_t length = strlen(table);
	int pair[2];
	ends->table = memfd_create("gate-table", MFD_CLOEXEC);
	if (ends->table < 0 || write(ends->table, table, length) != (ssize_t)length ||
	    !fd_pair_kept(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), pair)) {
		gate_ends_close(ends);
		return false;
	}
	ends->channel = fd_nonblocking(pair[0]);
	ends->keeper_channel = pair[1];
	return true;
}

/* ---- in the program ---- */

/* Passes a descriptor, or without one the reason. */
static bool pass(int socket, int fd, int32_t problem)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	memset(&control, 0, sizeof control);
	struct iovec piece = {&problem, sizeof problem};
	struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
	if (fd >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof control;
		control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
		memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof problem;
}

static int take(int socket, int32_t *problem)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec piece = {problem, sizeof *problem};
	struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	ssize_t length;
	do
		length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (length < 0 && errno == EINTR);
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	if (length != (ssize_t)sizeof *problem)
		*problem = EPIPE;
	if (length <= 0 || !header || header->cmsg_type != SCM_RIGHTS)
		return -1;
	int fd;
	memcpy(&fd, CMSG_DATA(header), sizeof fd);
	return fd;
}

/* The first line of a table: `asks MS`, how long a call waits for an answer; without it the gate keeps a journal. */
static int64_t deadline_of(int table)
{
	char line[64] = "";
	long long deadline = 0;
	if (pread(table, line, sizeof line - 1, 0) > 0 && sscanf(line, "asks %lld\n", &deadline) == 1)
		return deadline;
	return 0;
}

bool gate_enter(int to_keeper)
{
	int listener = gate_filter_install(deadline_of(GATE_TABLE_FD) > 0);
	bool is_passed = pass(to_keeper, listener, listener < 0 ? errno : 0);
	fd_close(&listener);
	return is_passed;
}

/* ---- in the keeper ---- */

static int open_table(void)
{
	int table = fcntl(GATE_TABLE_FD, F_DUPFD_CLOEXEC, 0);
	lseek(table, 0, SEEK_SET);
	return table;
}

static void run_supervisor(struct gate_keeping *gate, int keeper)
{
	prctl(PR_SET_NAME, GATE_NAME);
	/* The programs behind the gate must not look into it. */
	prctl(PR_SET_DUMPABLE, 0);
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < STANDARD_DESCRIPTORS + 2 && null >= 0; fd++)
		dup2(null, fd);
	gate_memory_init(keeper);
	gate_watch_init(gate->watch);
	gate_table_read(open_table());
	gate_keep_read(open_table());
	gate_reach_read(open_table());
	gate_supervise(gate->listener, GATE_CHANNEL_FD);
	_exit(0);
}

static void start_supervisor(struct gate_keeping *gate)
{
	int pair[2];
	fd_close(&gate->requests);
	if (!fd_pair_kept(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), pair))
		return;
	gate->supervisor = fork();
	if (gate->supervisor == 0) {
		close(pair[0]);
		run_supervisor(gate, pair[1]);
	}
	close(pair[1]);
	gate->requests = pair[0];
}

void gate_begin(struct gate_keeping *gate, int from_program, bool is_walled)
{
	int32_t problem = 0;
	*gate = (struct gate_keeping){.listener = take(from_program, &problem), .requests = -1, .watch = -1};
	if (gate->listener >= 0 && !gate_state_make()) {
		problem = errno;
		fd_close(&gate->listener);
	}
	if (gate->listener < 0) {
		const char *reason = problem == EBUSY ? "another supervisor of system calls is above this terminal" : strerror(problem);
		gate_report_state(GATE_CHANNEL_FD, "none", reason);
		return;
	}
	gate_state->deadline_ms = deadline_of(GATE_TABLE_FD);
	gate_state->asks = gate_state->deadline_ms > 0;
	gate_state->is_walled = is_walled;
	gate->watch = gate_watch_make();
	start_supervisor(gate);
	gate_report_state(GATE_CHANNEL_FD, gate_state->asks ? "ask" : "journal", "");
}

static void start_next(struct gate_keeping *gate)
{
	struct pollfd polled = {.fd = gate->listener};
	bool is_over = poll(&polled, 1, 0) > 0 && polled.revents & POLLHUP;
	if (!is_over && gate->starts < STARTS_MAX && gate->left_behind < LEFT_BEHIND_MAX) {
		start_supervisor(gate);
		return;
	}
	/* Without a listener every trapped call fails. */
	fd_close(&gate->requests);
	fd_close(&gate->listener);
}

void gate_restart(struct gate_keeping *gate)
{
	gate->supervisor = 0;
	gate->starts++;
	start_next(gate);
}

static void replace_supervisor(struct gate_keeping *gate)
{
	kill(gate->supervisor, SIGKILL);
	gate->left_behind++;
	start_next(gate);
}

int gate_wait_for(const struct gate_keeping *gate, fd_set *readable)
{
	int highest = -1;
	const int fds[] = {gate->requests, gate->watch};
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
		if (fds[i] >= 0)
			FD_SET(fds[i], readable);
		highest = fds[i] > highest ? fds[i] : highest;
	}
	return highest;
}

void gate_serve_supervisor(struct gate_keeping *gate, const fd_set *readable)
{
	if (gate->watch >= 0 && FD_ISSET(gate->watch, readable) && gate_watch_is_over(gate->watch))
		replace_supervisor(gate);
	else if (gate->requests >= 0 && FD_ISSET(gate->requests, readable) && !gate_memory_serve(gate->requests))
		fd_close(&gate->requests);
}

/* ---- trying it ---- */

static int try_gate(int pair[2])
{
	if (!gate_state_make())
		return errno;
	pid_t child = fork();
	if (child == 0) {
		int made = gate_enter(pair[1]) ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
		_exit(made < 0);
	}
	int32_t problem = 0;
	int listener = take(pair[0], &problem);
	if (listener >= 0) {
		pid_t supervisor = fork();
		if (supervisor == 0) {
			gate_supervise(listener, -1);
			_exit(0);
		}
		close(listener);
		int status = 0;
		waitpid(child, &status, 0);
		waitpid(supervisor, NULL, 0);
		return status ? EPERM : 0;
	}
	waitpid(child, NULL, 0);
	return problem ? problem : EPERM;
}

int gate_check_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	int pair[2];
	int problem = fd_pair_kept(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), pair) ? try_gate(pair) : errno;
	puts(!problem ? "works" : problem == EBUSY ? "another supervisor of system calls is above this process" : strerror(problem));
	return 0;
}
