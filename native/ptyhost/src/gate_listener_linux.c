#include "gate_listener.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif
enum { SYNC_WAKE_UP = 1 };

static int listener;
static size_t notice_bytes;

struct seccomp_notif *gate_listener_open(int of)
{
	struct seccomp_notif_sizes sizes;
	listener = of;
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) < 0)
		return NULL;
	notice_bytes = sizes.seccomp_notif > sizeof(struct seccomp_notif) ? sizes.seccomp_notif : sizeof(struct seccomp_notif);
	/* A newer kernel then wakes this process on the processor of the caller. */
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP);
	return malloc(notice_bytes);
}

bool gate_receive(struct seccomp_notif *notice)
{
	memset(notice, 0, notice_bytes);
	int result;
	do
		result = ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, notice);
	while (result < 0 && errno == EINTR);
	return result == 0;
}
