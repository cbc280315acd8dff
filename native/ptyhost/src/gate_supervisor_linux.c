#include "gate_supervisor.h"

#include "gate_calls.h"
#include "gate_made.h"
#include "gate_memory.h"
#include "gate_paths.h"
#include "gate_questions.h"
#include "gate_table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
enum { SYNC_WAKE_UP = 1, WRITING = O_WRONLY | O_RDWR };

/* A trapped call, with the places that it is about. */
struct trap {
	const struct seccomp_notif *notice;
	const struct gate_call *call;
	struct gate_place place, place2;
	bool has_place2;
	uint64_t open_flags;
};

static bool read_path(const struct trap *trap, int argument, char *path)
{
	return gate_memory_text((pid_t)trap->notice->pid, trap->notice->data.args[argument], path, PATH_MAX);
}

static struct gate_caller caller_of(const struct trap *trap, int folder_argument)
{
	int folder = folder_argument < 0 ? AT_FDCWD : (int)trap->notice->data.args[folder_argument];
	return (struct gate_caller){.thread = (pid_t)trap->notice->pid, .folder = folder};
}

static bool read_open_flags(struct trap *trap)
{
	const struct gate_call *call = trap->call;
	const struct seccomp_data *data = &trap->notice->data;
	if (call->verb != GATE_WRITE)
		return true;
	if (call->flags == OPEN_HOW) {
		struct open_how how;
		if (!gate_memory_read((pid_t)trap->notice->pid, data->args[call->path + 1], &how, sizeof how))
			return false;
		trap->open_flags = how.flags;
	} else {
		/* truncate and creat write always. */
		trap->open_flags = call->flags >= 0 ? data->args[call->flags] : (uint64_t)O_WRONLY | O_TRUNC;
	}
	return true;
}

static bool follows_link(const struct trap *trap)
{
	const struct gate_call *call = trap->call;
	uint64_t at_flags = call->at_flags >= 0 ? trap->notice->data.args[call->at_flags] : 0;
	if (at_flags & AT_SYMLINK_NOFOLLOW || trap->open_flags & O_NOFOLLOW || (trap->open_flags & O_CREAT && trap->open_flags & O_EXCL))
		return false;
	return call->follows || at_flags & AT_SYMLINK_FOLLOW;
}

/* The kernel ignores the path of such a call, or takes the descriptor in place of an empty one. */
static bool is_about_descriptor(const struct trap *trap, const char *path)
{
	const struct gate_call *call = trap->call;
	return call->at_flags >= 0 && !*path && trap->notice->data.args[call->at_flags] & AT_EMPTY_PATH;
}

static int resolve_first(struct trap *trap)
{
	static char path[PATH_MAX];
	const struct gate_call *call = trap->call;
	struct gate_caller caller = caller_of(trap, call->folder);
	if (call->path == OPENED_FILE)
		return gate_resolve_opened(&caller, &trap->place);
	if (!read_path(trap, call->path, path) || !read_open_flags(trap)) {
		gate_be_blind(BLIND_UNREAD);
		return errno ? errno : EFAULT;
	}
	if (is_about_descriptor(trap, path))
		return gate_resolve_opened(&caller, &trap->place);
	return gate_resolve(&caller, path, follows_link(trap), &trap->place);
}

static int resolve_second(struct trap *trap)
{
	static char path[PATH_MAX];
	struct gate_caller caller = caller_of(trap, trap->call->folder2);
	if (!read_path(trap, trap->call->path2, path)) {
		gate_be_blind(BLIND_UNREAD);
		return errno ? errno : EFAULT;
	}
	return gate_resolve(&caller, path, false, &trap->place2);
}

static bool asks(enum gate_verb verb, const struct gate_place *place, bool is_new)
{
	const struct gate_effect effect = {
		.verb = verb, .place = place, .is_new = is_new, .is_made = !is_new && place->exists && gate_made_has(&place->file)};
	return gate_asks(&effect);
}

/* Judges that something is made at a place where nothing is. */
static void judge_new(const struct trap *trap, struct gate_place *place)
{
	if (asks(GATE_CREATE, place, true))
		gate_ask((pid_t)trap->notice->pid, GATE_CREATE, place->shown);
	if (!gate_is_free(place) && *place->name)
		gate_made_expect(place);
}

static void judge_change(const struct trap *trap, enum gate_verb verb, const struct gate_place *place)
{
	if (asks(verb, place, false))
		gate_ask((pid_t)trap->notice->pid, verb, place->shown);
}

static void judge_open(struct trap *trap)
{
	uint64_t flags = trap->open_flags;
	struct gate_place *place = &trap->place;
	if (flags & O_PATH)
		return;
	if ((flags & O_TMPFILE) == O_TMPFILE) { /* a file without a name in that folder */
		if (asks(GATE_CREATE, place, true))
			gate_ask((pid_t)trap->notice->pid, GATE_CREATE, place->shown);
	} else if (!place->exists) {
		if (flags & O_CREAT || trap->call->flags == NO_ARGUMENT)
			judge_new(trap, place);
	} else if (flags & (WRITING | O_TRUNC)) {
		judge_change(trap, GATE_WRITE, place);
	}
}

/* A file that the terminal has moved away from a free place is its own at the new one. */
static void judge_move(struct trap *trap)
{
	if (!trap->place.exists)
		return;
	bool is_asked = asks(GATE_MOVE, &trap->place, false);
	judge_change(trap, GATE_MOVE, &trap->place);
	if (trap->place2.exists)
		judge_change(trap, GATE_WRITE, &trap->place2);
	else if (asks(GATE_CREATE, &trap->place2, true))
		gate_ask((pid_t)trap->notice->pid, GATE_CREATE, trap->place2.shown);
	if (!is_asked && !gate_is_free(&trap->place2))
		gate_made_add(&trap->place.file);
}

static void judge(struct trap *trap)
{
	switch (trap->call->verb) {
	case GATE_WRITE:
		judge_open(trap);
		break;
	case GATE_MOVE:
		judge_move(trap);
		break;
	case GATE_CREATE:
		if (!trap->place.exists)
			judge_new(trap, &trap->place);
		break;
	case GATE_LINK:
		if (trap->place.exists && !trap->place2.exists) {
			judge_change(trap, GATE_LINK, &trap->place);
			judge_new(trap, &trap->place2);
		}
		break;
	default:
		if (trap->place.exists)
			judge_change(trap, trap->call->verb, &trap->place);
	}
}

static bool is_valid(int listener, uint64_t id) { return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0; }

/* What the call would fail with anyway needs no judgement. */
static bool is_own_failure(int problem)
{
	return problem == ENOENT || problem == ENOTDIR || problem == ELOOP || problem == ENAMETOOLONG || problem == EBADF || problem == EFAULT;
}

static void handle(int listener, const struct seccomp_notif *notice)
{
	static struct trap trap;
	trap = (struct trap){.notice = notice, .call = gate_call_find(notice->data.nr), .place = {.folder = -1}, .place2 = {.folder = -1}};
	if (!trap.call)
		return;
	if (trap.call->verb == GATE_URING) {
		gate_be_blind(BLIND_URING);
		return;
	}
	int problem = resolve_first(&trap);
	trap.has_place2 = !problem && trap.call->path2 >= 0;
	if (trap.has_place2)
		problem = resolve_second(&trap);
	/* The process may have ended, and another one have its number: then all of this was about the wrong one. */
	if (!is_valid(listener, notice->id))
		problem = ENOENT;
	if (!problem)
		judge(&trap);
	else if (!is_own_failure(problem))
		gate_be_blind(BLIND_UNRESOLVED);
	gate_place_close(&trap.place);
	gate_place_close(&trap.place2);
}

static bool receive(int listener, struct seccomp_notif *notice, size_t size)
{
	memset(notice, 0, size);
	int result;
	do
		result = ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, notice);
	while (result < 0 && errno == EINTR);
	return result == 0; /* ENOENT: its process has ended meanwhile */
}

static void let_go_on(int listener, uint64_t id)
{
	struct seccomp_notif_resp answer = {.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

void gate_supervise(int listener)
{
	struct seccomp_notif_sizes sizes;
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) < 0)
		return;
	size_t size = sizes.seccomp_notif > sizeof(struct seccomp_notif) ? sizes.seccomp_notif : sizeof(struct seccomp_notif);
	struct seccomp_notif *notice = malloc(size);
	/* A newer kernel then wakes this process on the processor of the caller. */
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP);
	int wait = -1;
	while (notice) {
		struct pollfd polled = {.fd = listener, .events = POLLIN};
		int ready = poll(&polled, 1, wait);
		if (ready > 0 && polled.revents & POLLIN && receive(listener, notice, size)) {
			gate_made_look();
			handle(listener, notice);
			let_go_on(listener, notice->id);
		} else if (ready > 0 && polled.revents & (POLLHUP | POLLERR)) {
			break;
		}
		wait = gate_questions_send(false);
	}
	gate_questions_send(true);
	free(notice);
}
