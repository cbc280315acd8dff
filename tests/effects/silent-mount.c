/*
 * silent-mount FOLDER: mounts a file system there that takes every request and answers none but the first, like one whose server is lost. Prints `mounted`,
 * and ends with its standard input, and the mount with it. Needs root.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static void answer_first(int fuse, const struct fuse_in_header *request)
{
	struct {
		struct fuse_out_header header;
		struct fuse_init_out init;
	} answer;
	memset(&answer, 0, sizeof answer);
	answer.header = (struct fuse_out_header){.len = sizeof answer, .unique = request->unique};
	answer.init = (struct fuse_init_out){.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_write = 4096};
	if (write(fuse, &answer, sizeof answer) < 0)
		perror("write");
}

int main(int argc, char **argv)
{
	static char request[1 << 17];
	char options[128];
	int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
	if (argc != 2 || mount("silent", argv[1], "fuse", 0, options) < 0) {
		perror("mount");
		return 1;
	}
	puts("mounted");
	fflush(stdout);
	for (;;) {
		struct pollfd polled[] = {{.fd = fuse, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
		if (poll(polled, 2, -1) < 0 || polled[1].revents)
			break;
		if (polled[0].revents && read(fuse, request, sizeof request) > 0 && ((struct fuse_in_header *)request)->opcode == FUSE_INIT)
			answer_first(fuse, (struct fuse_in_header *)request);
	}
	umount2(argv[1], MNT_DETACH);
	return 0;
}
