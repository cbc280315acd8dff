/* Samples kernel facts while a client waits for this session's turn, and only then. */
#include "session_watch.h"

#include "answers.h"
#include "limits.h"
#include "protocol.h"
#include "reads.h"
#include "session_output.h"
#include "session_proof.h"
#include "session_sample.h"
#include "session_steps.h"

#include <string.h>

enum { SAMPLES_AT_ONCE = 2 };

/* The kernel's precision for the start of a process, and the delay of output that an inner terminal relays. */
static const uint64_t begin_step_ns = 15 * MS, relayed_ns = 40 * MS;

static void was_read(int number)
{
	for (struct session *s = sessions; s; s = s->next) {
		if (s->watch.reads != number)
			continue;
		s->watch.accessed = true;
		watch_resample(s);
	}
}

/* Computes the process's CPU time since the last sample without the waiting thread's share. */
static void judge_other_threads(struct watch *w, struct facts *facts)
{
	uint64_t now = loop_now();
	uint64_t others = facts->cpu_ns - facts->thread_cpu_ns, before = w->last.cpu_ns - w->last.thread_cpu_ns;
	facts->other_threads_work = facts->threads > 1 && facts->waiter && facts->waiter == w->last.waiter &&
	                      facts->waiter_thread == w->last.waiter_thread && others > before &&
	                      (others - before) * 4 > now - w->sampled_at;
	w->sampled_at = now;
}

static uint8_t facts_flags(const struct session *s, const struct facts *f)
{
	const struct watch *w = &s->watch;
	return (uint8_t)((f->canonical ? FACTS_CANONICAL : 0) | (f->echo ? FACTS_ECHO : 0) | (f->signals ? FACTS_SIGNALS : 0) |
	                 (f->readable ? FACTS_READABLE : 0) | (w->consumed ? FACTS_CONSUMED : 0) |
	                 (bytes_length(&s->input) > 0 ? FACTS_INPUT_PENDING : 0) |
	                 (w->output_since_write ? FACTS_OUTPUT_SINCE_WRITE : 0) | (s->leader_gone ? FACTS_EXITED : 0));
}

static uint8_t facts_inner_flags(const struct facts *f)
{
	return (uint8_t)((f->inner ? FACTS_INNER : 0) | (f->own_descriptor ? FACTS_OWN_DESCRIPTOR : 0) |
	                 (f->other_threads_work ? FACTS_OTHER_THREADS_WORK : 0) | (f->relay ? FACTS_RELAY : 0) |
	                 (f->relay_here ? FACTS_RELAY_HERE : 0) | (f->passing ? FACTS_PASSING : 0) |
	                 (f->pipes_on ? FACTS_PIPES_ON : 0) | (f->pipe_rests ? FACTS_PIPE_RESTS : 0));
}

static bool has_shown_nothing(const struct watch *w, const struct facts *f)
{
	return f->worker && f->began_ns + begin_step_ns + (f->inner ? relayed_ns : 0) >= w->output_at;
}

static void send_facts(struct session *s, const struct facts *f)
{
	uint8_t payload[BYTES_FACTS], *at = payload;
	const struct watch *w = &s->watch;
	write_u64(&at, s->ring.end);
	write_u64(&at, loop_now());
	write_u64(&at, s->input_written);
	write_u64(&at, f->slices);
	write_u32(&at, (uint32_t)f->foreground);
	write_u32(&at, (uint32_t)s->leader);
	write_u32(&at, (uint32_t)f->waiter);
	write_u32(&at, (uint32_t)f->waiter_thread);
	write_u32(&at, (uint32_t)f->timeout_ms);
	write_u32(&at, f->read_bytes);
	write_u32(&at, f->unread);
	write_u8(&at, facts_flags(s, f));
	write_u8(&at, (uint8_t)f->wait);
	write_u8(&at, (uint8_t)f->state);
	write_u8(&at, f->other_fds);
	write_u8(&at, f->sockets);
	write_u8(&at, (uint8_t)f->activity);
	write_u8(&at, facts_inner_flags(f));
	write_u8(&at, f->threads);
	write_u64(&at, f->cpu_ns);
	write_raw(&at, f->name, sizeof f->name);
	write_u64(&at, f->call_site);
	write_u32(&at, (uint32_t)f->main_timeout_ms);
	write_u8(&at, f->children);
	write_u8(&at, has_shown_nothing(w, f));
	bool waits = f->wait != WAIT_NONE && w->consumed;
	s->watch.reported_end = s->ring.end;
	(waits ? owner_answer : owner_answer_deferred)(ANSWER_FACTS, s->id, payload, (size_t)(at - payload));
}

static bool same_facts(const struct facts *a, const struct facts *b)
{
	return a->wait == b->wait && a->waiter_thread == b->waiter_thread && a->slices == b->slices &&
	       a->foreground == b->foreground && a->unread == b->unread && a->canonical == b->canonical &&
	       a->echo == b->echo && a->state == b->state && a->readable == b->readable && a->activity == b->activity &&
	       a->inner == b->inner && a->passing == b->passing && a->main_timeout_ms == b->main_timeout_ms &&
	       a->other_threads_work == b->other_threads_work && a->pipe_rests == b->pipe_rests &&
	       strncmp(a->name, b->name, sizeof a->name) == 0;
}

/* A working program is reported once, whatever its time slices: most samples of a busy program are never sent. */
static bool same_work(const struct facts *a, const struct facts *b)
{
	return a->wait == WAIT_NONE && b->wait == WAIT_NONE && a->readable && b->readable &&
	       a->foreground == b->foreground && a->state == b->state && a->activity == b->activity &&
	       a->canonical == b->canonical && a->echo == b->echo && strncmp(a->name, b->name, sizeof a->name) == 0;
}

/* Output written before the wait may still be on its way through the kernel; reading fetches it. If some arrived, or could
 * not be read, the sample is older than the output and proves no wait. Most programs that wait have written all their output,
 * so the first sample usually counts. Returns whether the sample is as new as the output. */
static bool sample_with_output(struct session *s, struct facts *facts)
{
	for (int tries = 0; tries < SAMPLES_AT_ONCE; tries++) {
		watch_sample(s, facts);
		watch_judge_consumed(&s->watch, facts);
		uint64_t end = s->ring.end;
		if (!session_take_output(s))
			return false;
		if (s->ring.end == end)
			return true;
		if (facts->wait == WAIT_NONE)
			return false;
	}
	return false;
}

static void sample_due(struct timer *timer)
{
	struct session *s = CONTAINER(timer, struct session, watch.timer);
	struct watch *w = &s->watch;
	struct facts facts;
	bool was_consumed = w->consumed;
	bool complete = sample_with_output(s, &facts);
	/* New output starts a new series of samples (watch_resample). After a complete one, no other is needed. */
	if (complete)
		timer_disarm(&w->timer);
	judge_other_threads(w, &facts);
	/* For a program that hides its calls, too, samples without news are the proof. */
	bool proves_rest = facts.wait != WAIT_NONE ? w->rest_steps < REST_STEPS_MAX
	                                           : !facts.readable && w->busy_steps < BUSY_STEPS_MAX;
	/* Continued work is not news, but its duration after the last output is. */
	bool is_late = w->busy_steps >= BUSY_STEPS_MAX && w->reported_end != s->ring.end;
	bool news = is_late || !w->reported || proves_rest || !same_facts(&facts, &w->last) || w->consumed != was_consumed;
	bool repeats = w->reported && same_work(&facts, &w->last) && !is_late;
	if (news && (complete || facts.wait == WAIT_NONE) && !repeats)
		send_facts(s, &facts);
	w->last = facts;
	w->reported = true;
	if (w->busy_steps >= BUSY_STEPS_MAX || w->rest_steps >= REST_STEPS_MAX)
		w->restarts = 0;
	uint64_t step = watch_next_step(w, &facts, complete);
	if (step > 0)
		timer_arm(&w->timer, loop_now() + step);
	else
		w->restarts = 0;
}

void watch_init(struct session *s)
{
	s->watch.timer.fire = sample_due;
	s->watch.reads = -1;
	s->watch.consumed = true;
	facts_cache_init(&s->watch.cache);
}

static void watch_stop(struct watch *w)
{
	timer_disarm(&w->timer);
	if (w->reads >= 0)
		reads_unwatch(w->reads);
	w->reads = -1;
}

void watch_set(struct session *s, bool on)
{
	struct watch *w = &s->watch;
	if (!on) {
		watches_on -= w->on;
		w->on = false;
		watch_stop(w);
		watch_keep_cache(w);
		return;
	}
	watch_take_cache(w);
	if (!w->on)
		w->reads = s->master.fd < 0 ? -1 : reads_watch(s->master.fd, was_read);
	watches_on += !w->on;
	w->on = true;
	w->reported = false;
	w->busy_steps = w->rest_steps = 0;
	if (!s->leader_gone)
		sample_due(&w->timer);
}

void watch_free(struct session *s)
{
	watches_on -= s->watch.on;
	watch_stop(&s->watch);
	watch_end_cache(&s->watch);
}
