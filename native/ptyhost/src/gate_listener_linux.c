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

bool gate_is_waiting(const struct seccomp_notif *notice)
{
	uint64_t id = notice->id;
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

static bool send_answer(struct seccomp_notif_resp *answer) { return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer) == 0 || errno != ENOENT; }

void gate_let_go_on(const struct seccomp_notif *notice)
{
	struct seccomp_notif_resp answer = {.id = notice->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
	send_answer(&answer);
}

bool gate_answer_with(const struct seccomp_notif *notice, int32_t problem, int64_t value)
{
	struct seccomp_notif_resp answer = {.id = notice->id, .error = -problem, .val = problem ? 0 : value};
	return send_answer(&answer);
}

/* The descriptor becomes the result of the call. Kernels before 5.14 do that in two steps. */
static void give_new(const struct seccomp_notif *notice, const struct gate_result *result)
{
	struct seccomp_notif_addfd given = {.id = notice->id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)result->fd,
	                                    .newfd_flags = result->is_close_on_exec ? O_CLOEXEC : 0};
	int fd = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given);
	if (fd < 0 && errno == EINVAL) {
		given.flags = 0;
		fd = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given);
		if (fd >= 0)
			gate_answer_with(notice, 0, fd);
	}
	if (fd < 0 && errno != ENOENT && errno != EINPROGRESS)
		gate_answer_with(notice, errno, 0);
	close(result->fd);
}

static void give_in_place(const struct seccomp_notif *notice, const struct gate_result *result)
{
	struct seccomp_notif_addfd given = {.id = notice->id, .flags = SECCOMP_ADDFD_FLAG_SETFD, .srcfd = (uint32_t)result->fd,
	                                    .newfd = (uint32_t)result->replaced, .newfd_flags = result->is_close_on_exec ? O_CLOEXEC : 0};
	int fd = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given);
	if (fd >= 0 || errno != ENOENT)
		gate_answer_with(notice, fd < 0 ? errno : 0, 0);
	close(result->fd);
}

void gate_give(const struct seccomp_notif *notice, const struct gate_result *result)
{
	if (result->is_replacement)
		give_in_place(notice, result);
	else
		give_new(notice, result);
}
