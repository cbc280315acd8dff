#include "gate_supervisor.h"

#include "gate_identity.h"
#include "gate_judge.h"
#include "gate_listener.h"
#include "gate_made.h"
#include "gate_messages.h"
#include "gate_mounts.h"
#include "gate_paths.h"
#include "gate_process.h"
#include "gate_questions.h"
#include "gate_reach.h"
#include "gate_records.h"
#include "gate_replies.h"
#include "gate_sockets.h"
#include "gate_state.h"
#include "gate_table.h"
#include "gate_trap.h"
#include "gate_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the call would fail with anyway needs no judgement. */
static bool is_own_failure(int problem)
{
	return problem == ENOENT || problem == ENOTDIR || problem == ELOOP || problem == ENAMETOOLONG || problem == EBADF || problem == EFAULT ||
	       problem == EACCES;
}

/* ---- what becomes of a call ---- */

/* Threads that were interrupted or killed have taken their calls back without a word. */
static void forget_gone(void)
{
	for (size_t i = gate_state->held_count; i-- > 0;)
		if (!gate_is_waiting(&gate_state->held[i].notice))
			gate_state->held[i] = gate_state->held[--gate_state->held_count];
}

static void hold(const struct seccomp_notif *notice, const struct gate_question *question)
{
	if (gate_state->held_count == HELD_MAX)
		forget_gone();
	if (gate_state->held_count == HELD_MAX) {
		gate_refuse(notice, EACCES);
		return;
	}
	struct gate_held *held = &gate_state->held[gate_state->held_count];
	held->notice = *notice;
	held->question = question->id;
	gate_state->held_count++;
}

static void perform(struct gate_trap *trap)
{
	struct gate_result result = trap->call->verb == GATE_CONNECT ? gate_reach_connect(trap) : gate_perform(trap);
	gate_give(trap->notice, &result, !trap->place.exists);
}

/* A person opens the walls for this call alone. */
static void perform_allowed(struct gate_trap *trap)
{
	if (gate_state->is_walled) {
		gate_place_go_outside(&trap->place);
		gate_place_go_outside(&trap->place2);
	}
	perform(trap);
}

/* Calls that only tell the gate something. */
static bool is_news(const struct seccomp_notif *notice, const struct gate_call *call)
{
	switch (call->verb) {
	case GATE_IDENTITY:
		gate_forget_masks();
		gate_process_forget();
		break;
	case GATE_RESTRICT:
		gate_state->has_restricted = true;
		break;
	case GATE_URING:
		gate_be_blind(BLIND_URING);
		break;
	default:
		return false;
	}
	if (call->verb == GATE_URING && gate_state->asks)
		gate_refuse(notice, ENOSYS);
	else
		gate_let_go_on(notice);
	return true;
}

/*
 * A new file in a free place, which the kernel refuses to make where one is: whatever the program does to its path meanwhile, no file is lost. Handing
 * over a descriptor takes longer than all the rest.
 */
static bool is_harmless(const struct gate_trap *trap)
{
	uint64_t exclusive = O_CREAT | O_EXCL;
	return trap->call->verb == GATE_WRITE && !trap->place.exists && (trap->how.flags & exclusive) == exclusive && gate_is_free(&trap->place);
}

/* What the kernel does with it is what the gate has judged, unless the program changes its paths meanwhile; so all that can be is performed here. */
static void pass(struct gate_trap *trap)
{
	bool makes = trap->call->verb == GATE_CREATE || (trap->call->verb == GATE_WRITE && !trap->place.exists);
	bool meets_walls = gate_state->has_restricted || gate_state->is_walled;
	if (gate_state->asks && !meets_walls && !is_harmless(trap) && gate_can_perform(trap) && gate_can_act_as((pid_t)trap->notice->pid)) {
		perform(trap);
		return;
	}
	/* Before it goes on: a file that is older than the expectation is another one. */
	if (makes && *trap->place.name && !gate_is_free(&trap->place))
		gate_made_expect(&trap->place);
	gate_let_go_on(trap->notice);
}

static void refuse_or_pass(struct gate_trap *trap, const struct gate_question *question)
{
	const struct seccomp_notif *notice = trap->notice;
	if (!question || question->answer == GATE_NOTED)
		pass(trap);
	else if (question->answer == GATE_OPEN)
		hold(notice, question);
	else if (question->answer != GATE_ALLOWED)
		gate_refuse(notice, EACCES);
	else if (trap->call->verb == GATE_MOUNT || trap->call->verb == GATE_SIGNAL || trap->call->verb == GATE_TRACE)
		gate_let_go_on(notice); /* of the last two all arguments are numbers, which no program changes meanwhile */
	else if (trap->call->verb == GATE_CONNECT)
		perform(trap);
	else if (gate_state->has_restricted)
		pass(trap); /* it goes on, to meet the Landlock of its program, which is not this process's */
	else if (gate_can_perform(trap) && gate_can_act_as((pid_t)trap->notice->pid))
		perform_allowed(trap);
	else
		gate_refuse(notice, EACCES);
}

/* Agents of keys close their memory to others: a person says whether the gate lets such a program do what it cannot see. */
static void ask_about_hidden(const struct seccomp_notif *notice, const struct gate_question *granted)
{
	char program[PROGRAM_BYTES] = "", command[COMMAND_BYTES];
	gate_process_describe((pid_t)notice->pid, program, command);
	const struct gate_question *question = granted ? granted : gate_ask((pid_t)notice->pid, GATE_HIDDEN, *program ? program : "?");
	if (question->answer == GATE_OPEN)
		hold(notice, question);
	else if (question->answer == GATE_ALLOWED)
		gate_let_go_on(notice);
	else
		gate_refuse(notice, EACCES);
}

static void end_unresolved(const struct seccomp_notif *notice, int problem)
{
	if (!is_own_failure(problem))
		gate_be_blind(BLIND_UNRESOLVED);
	if (!gate_state->asks)
		gate_let_go_on(notice);
	else
		gate_refuse(notice, problem);
}

static void end_unread(const struct seccomp_notif *notice, const struct gate_question *granted)
{
	gate_be_blind(BLIND_UNREAD);
	if (gate_state->asks)
		ask_about_hidden(notice, granted);
	else
		gate_let_go_on(notice);
}

static void handle_bind(const struct seccomp_notif *notice)
{
	gate_watch_begin();
	gate_sockets_expect(notice);
	gate_watch_end();
	gate_let_go_on(notice);
}

static void handle_trap(const struct seccomp_notif *notice, const struct gate_question *granted)
{
	static struct gate_trap trap;
	bool is_unread;
	gate_watch_begin();
	int problem = gate_trap_resolve(&trap, notice, &is_unread);
	gate_watch_end();
	/* The process may have ended, and another one have its number: then all of this was about the wrong one. */
	if (!gate_is_waiting(notice)) {
		gate_trap_close(&trap);
		return;
	}
	int end = problem ? 0 : gate_known_end(&trap);
	if (problem && is_unread)
		end_unread(notice, granted);
	else if (problem)
		end_unresolved(notice, problem);
	else if (end > 0 && gate_state->asks)
		gate_refuse(notice, end);
	else if (end || (trap.call->verb == GATE_MOUNT && gate_process_has_own((pid_t)notice->pid, GATE_MOUNTS))) /* others do not see that mount */
		gate_let_go_on(notice);
	else if (trap.call->change == CHANGE_NEWER && gate_state->asks)
		gate_refuse(notice, ENOSYS); /* the program makes the older call, which can be performed and is asked about */
	else
		refuse_or_pass(&trap, granted ? granted : gate_judge(&trap));
	gate_trap_close(&trap);
}

/* `granted`: the answered question that the call was held for, when it stood for all. */
static void handle(const struct seccomp_notif *notice, const struct gate_question *granted)
{
	const struct gate_call *call = gate_call_find(notice->data.nr);
	if (!call) {
		gate_let_go_on(notice);
		return;
	}
	if (is_news(notice, call) || gate_give_again(notice))
		return;
	if (call->verb == GATE_MOUNT)
		gate_mounts_change();
	bool has_rights = gate_take_identity((pid_t)notice->pid);
	if (has_rights && call->verb == GATE_BIND)
		handle_bind(notice);
	else if (has_rights)
		handle_trap(notice, granted);
	else if (gate_state->asks && call->verb != GATE_BIND)
		gate_refuse(notice, EACCES);
	else
		gate_let_go_on(notice);
	gate_give_back_identity();
}

/* The next supervisor finds the call that this one may die of. */
static void handle_current(const struct seccomp_notif *notice, const struct gate_question *granted)
{
	gate_state->current = *notice;
	gate_state->has_current = true;
	handle(notice, granted);
	gate_state->has_current = false;
}

/* ---- held calls ---- */

/* Calls whose question has an answer go on or fail, and those that their threads have taken back are forgotten. */
static void look_at_held(void)
{
	gate_state->has_answers = false;
	for (size_t i = 0; i < gate_state->held_count;) {
		struct gate_held held = gate_state->held[i];
		struct gate_question *question = gate_question_find(held.question);
		if (question && question->answer == GATE_OPEN && gate_is_waiting(&held.notice)) {
			i++;
			continue;
		}
		gate_state->held[i] = gate_state->held[--gate_state->held_count];
		if (!gate_is_waiting(&held.notice))
			continue;
		/* It is judged once more, and was counted. */
		if (question && !question->is_for_all)
			question->count--;
		handle_current(&held.notice, question && question->is_for_all ? question : NULL);
	}
}

/* ---- the loop ---- */

/* The call that a supervisor has died of is not judged again, so that the next one does not die of it. */
static void take_over(void)
{
	if (gate_state->has_current)
		gate_be_blind(BLIND_UNRESOLVED);
	if (gate_state->has_current && gate_state->asks)
		gate_refuse(&gate_state->current, EACCES);
	else if (gate_state->has_current)
		gate_let_go_on(&gate_state->current);
	gate_state->has_current = false;
	look_at_held();
}

static void handle_next(struct seccomp_notif *notice)
{
	if (!gate_receive(notice))
		return;
	gate_made_look();
	handle_current(notice, NULL);
}

static int shorter(int one, int other) { return one < 0 ? other : other < 0 || one < other ? one : other; }

enum { SWEEP_MS = 5000 };

/*
 * An answer moves held calls. Twice a second they are looked at without one, for killed jobs say nothing: to ask the kernel about thousands of calls
 * takes longer than a call. Returns the ms until the next time, or -1.
 */
static int settle_held(void)
{
	enum { LOOK_MS = 500 };
	static int64_t looked_at;
	static bool has_open;
	bool is_due = gate_now_ms() - looked_at >= LOOK_MS;
	if (is_due) {
		has_open = gate_questions_withdraw();
		looked_at = gate_now_ms();
	}
	if (is_due || gate_state->has_answers)
		look_at_held();
	return has_open || gate_state->held_count ? LOOK_MS : -1;
}

static int settle(int channel)
{
	static int64_t swept_at;
	int expires = gate_questions_expire();
	int held = settle_held();
	int send = channel < 0 ? -1 : gate_messages_send(channel, false);
	if (gate_now_ms() - swept_at > SWEEP_MS) {
		gate_questions_sweep();
		swept_at = gate_now_ms();
	}
	int waits = shorter(gate_records_flush(false), gate_replies_expire());
	return shorter(shorter(shorter(expires, send), waits), held);
}

void gate_supervise(int listener, int channel)
{
	struct seccomp_notif *notice = gate_listener_open(listener);
	if (!notice)
		return;
	gate_replies_begin(listener);
	/* Masks of callers are applied by hand. */
	umask(0);
	take_over();
	int wait = -1;
	for (;;) {
		struct pollfd polled[] = {{.fd = listener, .events = POLLIN}, {.fd = channel, .events = POLLIN}};
		int ready = poll(polled, channel < 0 ? 1 : 2, wait);
		if (ready > 0 && polled[0].revents & POLLIN)
			handle_next(notice);
		else if (ready > 0 && polled[0].revents & (POLLHUP | POLLERR))
			break;
		if (ready > 0 && channel >= 0 && polled[1].revents & POLLIN)
			gate_messages_take(channel);
		/* Its owner's end is closed with the terminal. */
		if (ready > 0 && channel >= 0 && polled[1].revents & (POLLHUP | POLLERR))
			channel = -1;
		wait = settle(channel);
	}
	gate_records_flush(true);
	if (channel >= 0)
		gate_messages_send(channel, true);
	free(notice);
}
