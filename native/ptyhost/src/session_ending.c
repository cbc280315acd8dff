/*
 * The end of a session: its keeper ends the process tree, and every wait for a keeper has a deadline.
 *
 * A stopped keeper is continued. A keeper that does not respond in time is killed. Its processes then become children of
  * ptyhost, as after any kill of a keeper, and are ended from here: in rounds, until none is left or the time is over. The
  * answer counts the processes that are left.
 */
#include "session_ending.h"

#include "answers.h"
#include "dirty_sessions.h"
#include "keeper.h"
#include "limits.h"
#include "orphans.h"
#include "proctree.h"
#include "protocol.h"
#include "session_gate.h"
#include "session_input.h"
#include "session_output.h"
#include "session_reading.h"
#include "session_watch.h"
#include "system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

void session_free(struct session *s)
{
	for (struct session **link = &sessions; *link; link = &(*link)->next) {
		if (*link == s) {
			*link = s->next;
			session_count--;
			break;
		}
	}
	dirty_sessions_remove(s);
	watch_free(s);
	timer_disarm(&s->input_retry);
	timer_disarm(&s->exit_quiet);
	timer_disarm(&s->ending);
	loop_watch(&s->master, 0);
	loop_watch(&s->control, 0);
	fd_close(&s->master.fd);
	fd_close(&s->control.fd);
	session_gate_free(s);
	fd_close(&s->slave);
	ring_free(&s->ring);
	moments_free(&s->moments);
	bytes_free(&s->input);
	free(s->meta);
	/* Its keeper may end later; it is then reaped as an unknown child. */
	loop_free_later(s);
}

/* Runs once for each session. Request 0 means that the owner did not ask for it. */
static void end_session(struct session *s, size_t survivors)
{
	uint8_t payload[BYTES_CLOSED], *at = payload;
	session_drop_input(s);
	orphans_release(s->id);
	write_u32(&at, s->close_request);
	write_u32(&at, (uint32_t)survivors);
	owner_answer(ANSWER_CLOSED, s->id, payload, sizeof payload);
	session_free(s);
}

/* ---- ending a tree from here ---- */

struct tree {
	pid_t pids[TREE_PROCESSES_MAX], parents[TREE_PROCESSES_MAX];
	size_t count;
};

static void add_below(struct tree *tree, pid_t root)
{
	tree->count += process_descendants(root, tree->pids + tree->count, tree->parents + tree->count,
	                                   TREE_PROCESSES_MAX - tree->count);
}

static void add_with_all_below(struct tree *tree, pid_t pid)
{
	if (tree->count == TREE_PROCESSES_MAX)
		return;
	tree->parents[tree->count] = system_adopts_orphans ? getpid() : 0;
	tree->pids[tree->count++] = pid;
	add_below(tree, pid);
}

/* All processes of the session that are children of ptyhost or of its keeper. */
static void find_tree(const struct session *s, struct tree *tree)
{
	static pid_t roots[ORPHANS_MAX];
	tree->count = 0;
	if (!s->keeper_reaped)
		add_below(tree, s->keeper);
	if (s->keeper_reaped && s->leader > 0 && !s->leader_gone)
		add_with_all_below(tree, s->leader);
	size_t count = orphans_of(s->id, roots, ORPHANS_MAX);
	for (size_t i = 0; i < count; i++)
		add_with_all_below(tree, roots[i]);
}

/* Returns the number of remaining processes; each is killed once more. */
static size_t kill_tree(const struct session *s)
{
	static struct tree tree;
	size_t left = 0;
	find_tree(s, &tree);
	for (size_t i = 0; i < tree.count; i++) {
		struct process_stat stat;
		if (process_stat(tree.pids[i], &stat) < 0 || stat.state == 'Z')
			continue;
		if (s->leave_daemons && stat.session != s->leader)
			continue;
		left++;
		process_signal(tree.pids[i], tree.parents[i], SIGKILL);
	}
	return left;
}

static void kill_round(struct session *s)
{
	uint64_t began = loop_now();
	size_t left = kill_tree(s);
	if (left == 0 && s->keeper_reaped && system_adopts_orphans) {
		/* Children of processes that just ended are adopted by ptyhost and not claimed yet. */
		orphans_claim(s->id);
		left = kill_tree(s);
	}
	bool is_over = s->kill_rounds >= KILL_ROUNDS_MIN && began > s->kill_until;
	if ((left == 0 && s->leader_gone && s->keeper_reaped) || is_over) {
		end_session(s, left + !s->keeper_reaped);
		return;
	}
	s->kill_rounds++;
	/* A large tree takes long to read, so other sessions get a turn in between. */
	uint64_t now = loop_now(), took = now - began;
	timer_arm(&s->ending, now + (took > KILL_ROUND_NS ? took : KILL_ROUND_NS));
}

static void begin_kill(struct session *s)
{
	s->killing = true;
	s->kill_until = loop_now() + KILL_NS;
	/* Not reaped yet, so its process number is still valid. */
	if (!s->keeper_reaped)
		kill(s->keeper, SIGKILL);
	kill_round(s);
}

static void go_on_killing(struct session *s)
{
	if (s->killing)
		kill_round(s);
	else
		begin_kill(s);
}

static void ending_due(struct timer *timer)
{
	struct session *s = CONTAINER(timer, struct session, ending);
	if (s->leader == 0 && !s->closing) {
		session_start_failed(s, ETIMEDOUT);
		return;
	}
	go_on_killing(s);
}

void session_ending_init(struct session *s)
{
	s->ending.fire = ending_due;
	timer_arm(&s->ending, loop_now() + START_NS);
}

void session_close(struct session *s, uint32_t request, uint16_t grace_ms, bool leave_daemons)
{
	s->closing = true;
	s->close_request = request;
	s->leave_daemons = leave_daemons;
	session_drop_input(s);
	session_update_reading(s);
	struct keeper_record end = {.kind = KEEPER_END, .a = grace_ms, .b = leave_daemons};
	if (s->keeper_gone || write(s->control.fd, &end, sizeof end) != (ssize_t)sizeof end)
		begin_kill(s);
	else
		timer_arm(&s->ending, loop_now() + 2 * grace_ms * MS + KILL_NS + KEEPER_ANSWER_NS);
}

/* The keeper never reported a running program. Anything it started is ended. */
void session_start_failed(struct session *s, int error)
{
	session_answer_spawned(s, error, SPAWN_KEEPER);
	s->closing = s->leader_gone = true;
	begin_kill(s);
}

/* ---- keepers and the processes that they leave ---- */

/* The kernel reassigns a process's children only after it has closed its files, so both must have happened. */
static bool keeper_has_ended(const struct session *s) { return s->keeper_gone && s->keeper_reaped; }

/* Another process killed the keeper: ptyhost takes over its work. */
static void replace_keeper(struct session *s)
{
	struct process_stat leader;
	if (system_adopts_orphans)
		orphans_claim(s->id);
	bool is_ours = s->leader > 0 && process_stat(s->leader, &leader) == 0 && leader.parent == getpid();
	if (s->leader == 0 || s->leader_gone || is_ours)
		return;
	/* The program ended with its keeper, or no event would report its end. It is ended now. */
	if (!system_adopts_orphans)
		kill_tree(s);
	session_leader_ended(s, SIGKILL);
}

void session_keeper_ended(struct session *s)
{
	if (!keeper_has_ended(s))
		return;
	if (!s->keeper_done)
		replace_keeper(s);
	else if (s->leave_daemons || s->survivors > 0)
		orphans_claim(0);
	if (s->leader == 0 && !s->closing)
		session_start_failed(s, EIO);
	else if (s->closing && s->keeper_done && !s->killing)
		end_session(s, s->survivors);
	else if (s->closing)
		go_on_killing(s);
}

void session_child_ended(pid_t pid, int status)
{
	if (orphan_ended(pid))
		return;
	for (struct session *s = sessions; s; s = s->next) {
		if (s->keeper == pid && !s->keeper_reaped) {
			s->keeper_reaped = true;
			session_keeper_ended(s);
			return;
		}
		if (s->leader == pid && !s->leader_gone) {
			session_leader_ended(s, status);
			orphans_due(s->id);
			return;
		}
	}
}

void session_child_stopped(pid_t pid)
{
	for (const struct session *s = sessions; s; s = s->next)
		if (s->keeper == pid && !s->keeper_reaped)
			kill(pid, SIGCONT);
}
