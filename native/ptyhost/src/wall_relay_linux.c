/* One process for each connection: nothing is shared, and the kernel does the waiting. */
#include "wall_parts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

int wall_relay_listen(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(WALL_RELAY_PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0)
		return -1;
	if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, WALL_RELAY_CONNECTIONS_MAX) == 0)
		return listener;
	close(listener);
	return -1;
}

static bool write_all(int fd, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t written = write(fd, bytes, count);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		count -= (size_t)written;
	}
	return true;
}

/* False when the source is at its end or the target accepts no more. */
static bool pass_on(int from, int to)
{
	char bytes[32 << 10];
	ssize_t count = read(from, bytes, sizeof bytes);
	if (count < 0 && errno == EINTR)
		return true;
	if (count > 0 && write_all(to, bytes, (size_t)count))
		return true;
	shutdown(to, SHUT_WR);
	return false;
}

static void connect_through(int client, const char *socket_path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int proxy = socket(AF_UNIX, SOCK_STREAM, 0);
	if (proxy < 0 || strlen(socket_path) >= sizeof address.sun_path)
		return;
	strcpy(address.sun_path, socket_path);
	if (connect(proxy, (struct sockaddr *)&address, sizeof address) < 0)
		return;
	struct pollfd ends[2] = {{.fd = client, .events = POLLIN}, {.fd = proxy, .events = POLLIN}};
	while (ends[0].fd >= 0 || ends[1].fd >= 0) {
		if (poll(ends, 2, -1) < 0 && errno != EINTR)
			return;
		if (ends[0].fd >= 0 && ends[0].revents && !pass_on(client, proxy))
			ends[0].fd = -1;
		if (ends[1].fd >= 0 && ends[1].revents && !pass_on(proxy, client))
			ends[1].fd = -1;
	}
}

void wall_relay(int listener, const char *socket_path)
{
	signal(SIGPIPE, SIG_IGN);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (size_t open = 0;;) {
		while (open > 0 && waitpid(-1, NULL, open < WALL_RELAY_CONNECTIONS_MAX ? WNOHANG : 0) > 0)
			open--;
		int client = accept(listener, NULL, NULL);
		if (client < 0)
			continue;
		pid_t child = fork();
		if (child == 0) {
			close(listener);
			connect_through(client, socket_path);
			_exit(0);
		}
		close(client);
		open += child > 0;
	}
}
