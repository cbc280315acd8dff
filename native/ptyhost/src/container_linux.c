/*
 * The process that owns all containers of a server. It is their parent, starts them in parallel, and reports when each is ready and when it has
  * ended. It is a small process, because forking a large one takes ten times as long.
 */
#include "container.h"

#include "bytes.h"
#include "proctree.h"
#include "system.h"
#include "wall_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONTAINERS_MAX = 1024, WORDS_MAX = 1024, REQUEST_BYTES_MAX = 1 << 20, COMPLAINT_BYTES = 1000 };

struct container {
	uint32_t id;   /* chosen by the requester; 0: free slot */
	pid_t pid;     /* process 1 of the container */
	int socket;    /* receives a zero byte when it is ready, or an error text; -1 afterwards */
	bool is_there;
	size_t complaint_length;
	char complaint[COMPLAINT_BYTES + 1];
};

static struct container containers[CONTAINERS_MAX];
static struct container_options options;

static void tell(const struct container *container, const char *what)
{
	dprintf(STDOUT_FILENO, "%s %u", what, container->id);
}

/* ---- the user namespace ---- */

/* Root maps every user to the same number inside. Any other user becomes root inside, as the only user. */
static bool write_map(pid_t pid, const char *own, const char *name, unsigned id)
{
	char text[4096] = "", path[64], line[128];
	size_t length = 0;
	FILE *file = geteuid() == 0 ? fopen(own, "re") : NULL;
	unsigned inside, outside, count;
	while (file && fgets(line, sizeof line, file) && length < sizeof text - 64)
		if (sscanf(line, "%u %u %u", &inside, &outside, &count) == 3)
			length += (size_t)snprintf(text + length, sizeof text - length, "%u %u %u\n", inside, inside, count);
	if (file)
		fclose(file);
	if (length == 0)
		length = (size_t)snprintf(text, sizeof text, "0 %u 1\n", id);
	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool is_written = fd >= 0 && write(fd, text, length) == (ssize_t)length;
	fd_close(&fd);
	return is_written;
}

static bool map_users(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/setgroups", (int)pid);
	int fd = geteuid() == 0 ? -1 : open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, "deny", 4) < 0)
		errno = 0; /* the next write reports the missing right */
	fd_close(&fd);
	return write_map(pid, "/proc/self/uid_map", "uid_map", geteuid()) && write_map(pid, "/proc/self/gid_map", "gid_map", getegid());
}

/* ---- process 1 ---- */

/* Forks into new namespaces: 0 in the child. If users may have no namespaces, root still can create the others. */
static pid_t fork_apart(void)
{
	unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP | (options.has_network ? 0 : CLONE_NEWNET);
	pid_t pid = (pid_t)syscall(SYS_clone, flags | CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
	return pid >= 0 || geteuid() != 0 ? pid : (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

/* The child has rights over its namespaces once its user is mapped. Its error texts go through the socket. */
static void begin_inside(int socket)
{
	char byte;
	if (dup2(socket, STDERR_FILENO) < 0 || read(socket, &byte, 1) != 1)
		_exit(1);
	if ((setgid(0) < 0 || setuid(0) < 0) && geteuid() != 0) {
		container_complain("its users", "");
		_exit(1);
	}
	/* Set after the change of user, which would reset it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	container_begin(&options, socket);
}

/* ---- requests: u32 length, u32 id, words with a NUL after each; without words it is to end ---- */

static struct container *find(uint32_t id)
{
	for (size_t i = 0; i < CONTAINERS_MAX; i++)
		if (containers[i].id == id)
			return &containers[i];
	return NULL;
}

static void fail(struct container *container, const char *why)
{
	tell(container, "failed");
	dprintf(STDOUT_FILENO, " %s\n", why);
	fd_close(&container->socket);
	container->id = 0;
}

static void start(uint32_t id, char **words)
{
	struct container *container = find(0);
	struct container none = {.id = id, .socket = -1};
	options = (struct container_options){.stage = NULL};
	if (!container || !container_options_read(words, &options)) {
		fail(&none, container ? "options that are none" : "too many of them");
		return;
	}
	int pair[2];
	if (!fd_pair_kept(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), pair)) {
		fail(&none, strerror(errno));
		return;
	}
	*container = (struct container){.id = id, .socket = pair[0], .pid = fork_apart()};
	if (container->pid == 0) {
		close(pair[0]);
		begin_inside(pair[1]);
	}
	int error = errno;
	close(pair[1]);
	char byte = 0;
	if (container->pid < 0)
		fail(container, strerror(error));
	else if (!map_users(container->pid) || write(container->socket, &byte, 1) != 1)
		kill(container->pid, SIGKILL);
}

static void take_request(char *bytes, size_t length)
{
	static char *words[WORDS_MAX + 1];
	uint32_t id;
	memcpy(&id, bytes, sizeof id);
	size_t count = 0;
	for (char *at = bytes + sizeof id; at < bytes + length && count < WORDS_MAX; at += strlen(at) + 1)
		words[count++] = at;
	words[count] = NULL;
	struct container *container = find(id);
	if (count > 0 && id > 0 && !container)
		start(id, words);
	else if (count == 0 && container)
		kill(container->pid, SIGKILL);
}

/* False when the requester has closed the connection or sends an invalid request. */
static bool take_requests(void)
{
	static struct bytes queue;
	uint8_t *room = bytes_reserve(&queue, 1 << 16);
	ssize_t count = room ? read(STDIN_FILENO, room, 1 << 16) : -1;
	if (count <= 0)
		return count < 0 && errno == EINTR;
	bytes_grow(&queue, (size_t)count);
	for (uint32_t length; bytes_length(&queue) >= sizeof length; bytes_consume(&queue, sizeof length + length)) {
		memcpy(&length, bytes_front(&queue), sizeof length);
		if (length < sizeof length || length > REQUEST_BYTES_MAX)
			return false;
		if (bytes_length(&queue) < sizeof length + length)
			return true;
		char *request = (char *)bytes_front(&queue) + sizeof length;
		/* Each word must end within the request. */
		if (length > sizeof length && request[length - 1] != 0)
			return false;
		take_request(request, length);
	}
	return true;
}

/* ---- news of containers ---- */

static void hear(struct container *container)
{
	char *at = container->complaint + container->complaint_length;
	ssize_t count = read(container->socket, at, COMPLAINT_BYTES - container->complaint_length);
	if (count > 0 && *at == 0) {
		struct process_stat stat;
		container->is_there = process_stat(container->pid, &stat) == 0;
		tell(container, "ready");
		dprintf(STDOUT_FILENO, " %d:%llu\n", (int)container->pid, (unsigned long long)stat.start_ticks);
	} else if (count > 0) {
		container->complaint_length += (size_t)count;
		return;
	}
	fd_close(&container->socket);
}

static void reap(void)
{
	pid_t pid;
	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (size_t i = 0; i < CONTAINERS_MAX; i++) {
			struct container *container = &containers[i];
			if (!container->id || container->pid != pid)
				continue;
			while (container->socket >= 0 && container->complaint_length < COMPLAINT_BYTES)
				hear(container);
			if (!container->is_there) {
				container->complaint[strcspn(container->complaint, "\n")] = 0;
				fail(container, container->complaint_length ? container->complaint : "it has ended");
				continue;
			}
			tell(container, "ended");
			dprintf(STDOUT_FILENO, "\n");
			fd_close(&container->socket);
			container->id = 0;
		}
}

static bool wait_for_news(int children)
{
	static struct pollfd polled[CONTAINERS_MAX + 2];
	static struct container *heard[CONTAINERS_MAX + 2];
	nfds_t count = 2;
	polled[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
	polled[1] = (struct pollfd){.fd = children, .events = POLLIN};
	for (size_t i = 0; i < CONTAINERS_MAX; i++)
		if (containers[i].id && containers[i].socket >= 0) {
			heard[count] = &containers[i];
			polled[count++] = (struct pollfd){.fd = containers[i].socket, .events = POLLIN};
		}
	if (poll(polled, count, -1) < 0)
		return errno == EINTR;
	for (nfds_t i = 2; i < count; i++)
		if (polled[i].revents)
			hear(heard[i]);
	if (polled[1].revents) {
		struct signalfd_siginfo news;
		if (read(children, &news, sizeof news) < 0)
			errno = 0; /* no process has ended; ended ones are reaped below */
		reap();
	}
	return !polled[0].revents || take_requests();
}

int containers_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	prctl(PR_SET_NAME, "agentpty-boxes");
	/* The terminal's signals are for other processes. This one ends when its requester closes the connection. */
	static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	int children = fd_kept(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
	if (children < 0)
		return 1;
	while (wait_for_news(children))
		;
	for (size_t i = 0; i < CONTAINERS_MAX; i++)
		if (containers[i].id)
			kill(containers[i].pid, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	return 0;
}
