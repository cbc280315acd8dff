#include "reads.h"

#include "loop.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct source inotify = {.fd = -1};
static void (*report_read)(int number);

static void inotify_ready(struct source *source, uint32_t events)
{
	(void)events;
	_Alignas(struct inotify_event) char buffer[4096];
	ssize_t length;
	while ((length = read(source->fd, buffer, sizeof buffer)) > 0) {
		for (char *at = buffer; at < buffer + length;) {
			struct inotify_event event;
			memcpy(&event, at, sizeof event);
			at += sizeof event + event.len;
			if (event.mask & IN_ACCESS)
				report_read(event.wd);
		}
	}
}

void reads_report_now(void)
{
	if (inotify.fd >= 0)
		inotify_ready(&inotify, POLLIN);
}

int reads_watch(int master, void (*was_read)(int number))
{
	report_read = was_read;
	if (inotify.fd < 0) {
		inotify = (struct source){.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK), .ready = inotify_ready};
		if (inotify.fd < 0 || !loop_watch(&inotify, POLLIN))
			return -1;
	}
	unsigned number;
	char path[32];
	if (ioctl(master, TIOCGPTN, &number) < 0)
		return -1;
	snprintf(path, sizeof path, "/dev/pts/%u", number);
	return inotify_add_watch(inotify.fd, path, IN_ACCESS);
}

void reads_unwatch(int number) { inotify_rm_watch(inotify.fd, number); }
