#include "gate_replies.h"

#include "gate_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif

enum {
	FILES_MAX = 16,
	KEPT_MS = 5000, /* a thread makes its call again after its handler; later it is another call that looks the same */
};

static int listener;

/* Descriptors that did not reach their thread. They end with the supervisor, so they are not in the state of the gate. */
static struct kept_file {
	struct gate_done call; /* thread 0: none */
	struct gate_result result;
} files[FILES_MAX];
static size_t next_file;

void gate_replies_begin(int of) { listener = of; }

bool gate_is_waiting(const struct seccomp_notif *notice)
{
	uint64_t id = notice->id;
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

static bool send_reply(struct seccomp_notif_resp *reply) { return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, reply) == 0 || errno != ENOENT; }

void gate_let_go_on(const struct seccomp_notif *notice)
{
	struct seccomp_notif_resp reply = {.id = notice->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
	send_reply(&reply);
}

static bool send_value(const struct seccomp_notif *notice, int32_t problem, int64_t value)
{
	struct seccomp_notif_resp reply = {.id = notice->id, .error = -problem, .val = problem ? 0 : value};
	return send_reply(&reply);
}

void gate_refuse(const struct seccomp_notif *notice, int32_t problem) { send_value(notice, problem, 0); }

/* ---- results that did not reach their thread ---- */

static struct gate_done done_of(const struct seccomp_notif *notice, int64_t value)
{
	return (struct gate_done){.thread = (pid_t)notice->pid, .call = notice->data, .value = value, .at = gate_now_ms()};
}

static bool is_same_call(const struct gate_done *done, const struct seccomp_notif *notice)
{
	return done->thread == (pid_t)notice->pid && memcmp(&done->call, &notice->data, sizeof done->call) == 0 && gate_now_ms() - done->at < KEPT_MS;
}

static void forget_file(struct kept_file *file)
{
	if (file->call.thread)
		close(file->result.fd);
	file->call.thread = 0;
}

static void keep_file(const struct seccomp_notif *notice, const struct gate_result *result)
{
	struct kept_file *file = &files[next_file++ % FILES_MAX];
	forget_file(file);
	file->call = done_of(notice, 0);
	file->result = *result;
}

static void keep_value(const struct seccomp_notif *notice, int64_t value) { gate_state->done[gate_state->next_done++ % DONE_MAX] = done_of(notice, value); }

int gate_replies_expire(void)
{
	int64_t now = gate_now_ms(), next = -1;
	for (size_t i = 0; i < FILES_MAX; i++) {
		int64_t left = files[i].call.at + KEPT_MS - now;
		if (files[i].call.thread && left <= 0)
			forget_file(&files[i]);
		else if (files[i].call.thread && (next < 0 || left < next))
			next = left;
	}
	return (int)next;
}

/* ---- results ---- */

/*
 * The descriptor becomes the result of the call. Kernels before 5.14 do that in two steps: between them the program has the descriptor, and the call made
 * again must have the same one.
 */
static void give_file(const struct seccomp_notif *notice, const struct gate_result *result, bool has_made)
{
	struct seccomp_notif_addfd given = {.id = notice->id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)result->fd,
	                                    .newfd_flags = result->is_close_on_exec ? O_CLOEXEC : 0};
	int fd = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given);
	if (fd < 0 && errno == EINVAL) {
		given.flags = 0;
		fd = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given);
		if (fd >= 0 && !send_value(notice, 0, fd))
			keep_value(notice, fd);
	}
	int problem = errno;
	if (fd < 0 && gate_is_waiting(notice)) {
		send_value(notice, problem, 0);
	} else if (fd < 0 && has_made) {
		keep_file(notice, result);
		return;
	}
	close(result->fd);
}

static void give_in_place(const struct seccomp_notif *notice, const struct gate_result *result)
{
	struct seccomp_notif_addfd given = {.id = notice->id, .flags = SECCOMP_ADDFD_FLAG_SETFD, .srcfd = (uint32_t)result->fd,
	                                    .newfd = (uint32_t)result->replaced, .newfd_flags = result->is_close_on_exec ? O_CLOEXEC : 0};
	int fd = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given);
	if (fd >= 0 || errno != ENOENT)
		send_value(notice, fd < 0 ? errno : 0, 0);
	close(result->fd);
}

void gate_give(const struct seccomp_notif *notice, const struct gate_result *result, bool has_made)
{
	if (result->is_replacement && result->fd >= 0)
		give_in_place(notice, result);
	else if (result->fd >= 0)
		give_file(notice, result, has_made);
	else if (!send_value(notice, result->problem, result->value) && !result->problem)
		keep_value(notice, result->value);
}

bool gate_give_again(const struct seccomp_notif *notice)
{
	for (size_t i = 0; i < DONE_MAX; i++) {
		struct gate_done *done = &gate_state->done[i];
		if (!is_same_call(done, notice))
			continue;
		done->thread = 0;
		if (!send_value(notice, 0, done->value))
			keep_value(notice, done->value);
		return true;
	}
	for (size_t i = 0; i < FILES_MAX; i++) {
		if (!is_same_call(&files[i].call, notice))
			continue;
		files[i].call.thread = 0;
		give_file(notice, &files[i].result, true);
		return true;
	}
	return false;
}
