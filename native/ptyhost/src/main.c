/*
 * ptyhost: the process that owns the PTYs and must never crash. It starts programs on PTYs, retains their output, writes
  * their input in order and reports kernel facts about waiting threads. It knows no terminal emulation, no policy, no JSON.
 *
 *   ptyhost --socket PATH [--linger-ms N] [--private] [--foreground]
 *
 * A private host has one owner and ends with it, however that ends. It owns the folder of its socket and deletes it at the end.
 *
 * Exit codes of the starter: 0 the host listens; 3 another one already does; 1 it could not start (reason on stderr).
 */
#include "connection.h"
#include "container.h"
#include "gate.h"
#include "keeper.h"
#include "limits.h"
#include "loop.h"
#include "orphans.h"
#include "peers.h"
#include "session_ending.h"
#include "session_start.h"
#include "shutdown.h"
#include "system.h"
#include "wall.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_RUNNING = 3, BACKLOG = 64, CONNECT_TRIES = 400 };

static struct {
	const char *socket_path;
	uint64_t linger_ns;
	bool foreground, is_private;
} options = {.linger_ns = LINGER_NS_DEFAULT};

static struct source listener = {.fd = -1, .ready = connection_accept};
static struct timer linger;
static bool lingered;

static int fail(const char *what)
{
	fprintf(stderr, "ptyhost: %s: %s\n", what, strerror(errno));
	return 1;
}

static bool make_address(struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(options.socket_path) >= sizeof address->sun_path) {
		errno = ENAMETOOLONG;
		return false;
	}
	strcpy(address->sun_path, options.socket_path);
	return true;
}

/* Another host holds the lock and may be about to listen. */
static int wait_for_other(const struct sockaddr_un *address)
{
	for (int i = 0; i < CONNECT_TRIES; i++) {
		int fd = fd_kept(socket(AF_UNIX, SOCK_STREAM, 0));
		bool connected = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) == 0;
		if (fd >= 0)
			close(fd);
		if (connected)
			return EXIT_RUNNING;
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
	errno = ETIMEDOUT;
	return fail("another host holds the lock but does not answer");
}

static char lock_path[sizeof((struct sockaddr_un *)NULL)->sun_path + 8];

/* No other process knows this folder. Files that another process has put there stay, and so does the folder. */
static void remove_folder(void)
{
	unlink(lock_path);
	char *name = strrchr(lock_path, '/');
	if (!name)
		return;
	*name = 0;
	rmdir(lock_path);
}

/* The lock lasts as long as this process, however it ends. Returns 0 or the exit code. */
static int take_socket(void)
{
	struct sockaddr_un address;
	if (!make_address(&address))
		return fail(options.socket_path);
	snprintf(lock_path, sizeof lock_path, "%s.lock", options.socket_path);
	int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (lock < 0)
		return fail(lock_path);
	if (flock(lock, LOCK_EX | LOCK_NB) < 0)
		return wait_for_other(&address);
	unlink(options.socket_path);
	mode_t inherited = umask(0177); /* programs start with it */
	listener.fd = fd_nonblocking(fd_kept(socket(AF_UNIX, SOCK_STREAM, 0)));
	if (listener.fd < 0 || bind(listener.fd, (struct sockaddr *)&address, sizeof address) < 0 ||
	    listen(listener.fd, BACKLOG) < 0)
		return fail(options.socket_path);
	umask(inherited);
	return 0;
}

/* The socket listens before the starter returns, so a process that waited for the starter can connect. */
static void detach(void)
{
	pid_t child = fork();
	if (child < 0)
		exit(fail("fork"));
	if (child > 0)
		_exit(0);
	setsid();
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

static void signal_caught(int signal_number)
{
	if (signal_number != SIGCHLD) {
		shutdown_begin(0);
		return;
	}
	int status;
	for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
		if (WIFSTOPPED(status))
			session_child_stopped(pid);
		else
			session_child_ended(pid, status);
	}
	orphans_claim_due();
}

static bool catch_signals(void)
{
	static const int caught[] = {SIGCHLD, SIGTERM, SIGINT};
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	return loop_catch_signals(caught, sizeof caught / sizeof *caught, signal_caught);
}

/* Thousands of sessions need thousands of descriptors. Programs get the original limit back. */
static uint64_t raise_descriptor_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 1024;
	rlim_t soft = limit.rlim_cur;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	return soft;
}

static void linger_over(struct timer *timer)
{
	(void)timer;
	lingered = true;
}

static bool go_on(void)
{
	if (session_count > 0 || connection_count() > 0)
		timer_disarm(&linger);
	else if (!linger.link)
		timer_arm(&linger, loop_now() + options.linger_ns);
	return !lingered && !shutdown_finished();
}

static int host_main(void)
{
	int problem = take_socket();
	if (problem)
		return problem;
	if (!options.foreground)
		detach();
	system_init("ptyhost");
	if (chdir("/") < 0 || !loop_init() || !catch_signals() || !loop_watch(&listener, POLLIN))
		return fail("event loop");
	sessions_init(raise_descriptor_limit());
	linger.fire = linger_over;
	if (options.is_private)
		connections_end_with_owner();
	loop_run(go_on, connections_flush);
	unlink(options.socket_path);
	connections_flush();
	if (options.is_private)
		remove_folder();
	return 0;
}

static int read_host_options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--socket") == 0 && i + 1 < argc)
			options.socket_path = argv[++i];
		else if (strcmp(argv[i], "--linger-ms") == 0 && i + 1 < argc)
			options.linger_ns = strtoull(argv[++i], NULL, 10) * MS;
		else if (strcmp(argv[i], "--foreground") == 0)
			options.foreground = true;
		else if (strcmp(argv[i], "--private") == 0)
			options.is_private = true;
		else
			options.socket_path = NULL;
	}
	if (options.socket_path)
		return host_main();
	fprintf(stderr, "usage: ptyhost --socket PATH [--linger-ms N] [--private] [--foreground]\n");
	return 2;
}

/*
 * The processes that this binary can become. Each row says how many descriptors the process is started with, counted from 0; all others are closed
 * before it runs. A caller may have left any descriptor open, and one of the host's files would lead out of a container.
 */
static const struct mode {
	const char *word;
	int descriptors;
	int (*run)(int argc, char **argv);
} modes[] = {
	{KEEPER_WORD, KEEPER_DESCRIPTORS, keeper_main},
	{GATED_KEEPER_WORD, GATED_KEEPER_DESCRIPTORS, keeper_main},
	{"--gate-check", STANDARD_DESCRIPTORS, gate_check_main},
	{"--peers", PEERS_DESCRIPTORS, peers_main},
	{WALL_INSIDE, WALL_INSIDE_DESCRIPTORS, wall_inside_main},
	{WALL_GATED_INSIDE, WALL_INSIDE_DESCRIPTORS, wall_inside_main},
	{CONTAINER_INIT, CONTAINER_INIT_DESCRIPTORS, container_init_main},
	{"--containers", STANDARD_DESCRIPTORS, containers_main},
	{"--enter", STANDARD_DESCRIPTORS, container_enter_main},
	{"--sweep", STANDARD_DESCRIPTORS, container_sweep_main},
	{"--landlock", STANDARD_DESCRIPTORS, wall_print_landlock},
};
/* A wall has its own program name, because its arguments are bubblewrap's. */
static const struct mode wall_mode = {WALL_PROGRAM, WALL_DESCRIPTORS, wall_main};
static const struct mode gated_wall_mode = {WALL_GATED_PROGRAM, WALL_GATED_DESCRIPTORS, wall_main};
static const struct mode host_mode = {"--socket", STANDARD_DESCRIPTORS, read_host_options};

static const struct mode *find_mode(int argc, char **argv)
{
	if (argc > 0 && strcmp(argv[0], WALL_PROGRAM) == 0)
		return &wall_mode;
	if (argc > 0 && strcmp(argv[0], WALL_GATED_PROGRAM) == 0)
		return &gated_wall_mode;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (argc > 1 && strcmp(argv[1], modes[i].word) == 0)
			return &modes[i];
	return &host_mode;
}

int main(int argc, char **argv)
{
	const struct mode *mode = find_mode(argc, argv);
	fd_close_from(mode->descriptors);
	return mode->run(argc, argv);
}
