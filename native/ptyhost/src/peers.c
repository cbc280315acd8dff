#include "peers.h"

#include "system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHANNEL_FD = 3, DESCRIPTORS_MAX = 8, MESSAGE_BYTES = 4096 };

/* Node sends the next descriptor after the previous one is acknowledged. */
static bool answer(pid_t peer)
{
	char text[96];
	int length = snprintf(text, sizeof text, "{\"cmd\":\"NODE_HANDLE_ACK\"}\n{\"pid\":%d}\n", (int)peer);
	ssize_t written;
	do
		written = write(CHANNEL_FD, text, (size_t)length);
	while (written < 0 && errno == EINTR);
	return written == length;
}

static bool answer_each(struct msghdr *message)
{
	/* All descriptors of one message arrive in one part. */
	struct cmsghdr *part = CMSG_FIRSTHDR(message);
	if (!part || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
		return true;
	size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	for (size_t i = 0; i < count; i++) {
		int fd;
		memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
		pid_t peer = system_peer(fd);
		close(fd);
		if (!answer(peer))
			return false;
	}
	return true;
}

int peers_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	for (;;) {
		char text[MESSAGE_BYTES]; /* Node's description of the descriptor, which is not needed */
		union {
			char bytes[CMSG_SPACE(sizeof(int) * DESCRIPTORS_MAX)];
			struct cmsghdr aligned;
		} control;
		struct iovec into = {.iov_base = text, .iov_len = sizeof text};
		struct msghdr message = {.msg_iov = &into, .msg_iovlen = 1, .msg_control = control.bytes,
		                         .msg_controllen = sizeof control.bytes};
		ssize_t length = recvmsg(CHANNEL_FD, &message, 0);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0 || !answer_each(&message))
			return length == 0 ? 0 : 1;
	}
}
