/*
 * Sampling kernel facts while somebody waits for this session's turn, and only then.
 *
 * An event (output, input, a read of the terminal) starts a series of samples, close together at first: most programs
 * settle within a millisecond. The steps grow up to last_step_ns. While the program waits they are as far apart as the
 * rests that verdicts ask for (evidence-table.ts); a wait that only input can end is sampled once.
 */
#include "session.h"

#include "answers.h"
#include "limits.h"
#include "session_proof.h"
#include "protocol.h"
#include "reads.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BUSY_STEPS_MAX = 18, REST_STEPS_MAX = 6 };
enum { STEPS_SLOWER_MAX = 5, SAMPLES_AT_ONCE = 2, SAMPLES_AT_OUTPUT = 4 };

static const uint64_t first_step_ns = MS / 5, last_step_ns = 200 * MS;
/* The kernel knows only this well when a process began, and what was drawn inside comes out this much later. */
static const uint64_t begin_step_ns = 15 * MS, relayed_ns = 40 * MS;
/* Between samples of a program that rests: proof of 0.5, 2, 8, 20, 100 and 400 ms of it. */
static const uint64_t rest_steps_ns[] = {MS / 2, MS * 3 / 2, 6 * MS, 12 * MS, 80 * MS, 300 * MS};
enum { PARALLEL_REST_STEPS = 3, PARALLEL_SAMPLES = 4 };
_Static_assert(sizeof rest_steps_ns / sizeof *rest_steps_ns == REST_STEPS_MAX, "a step for each rest");

static void was_read(int number)
{
	for (struct session *s = sessions; s; s = s->next) {
		if (s->watch.reads != number)
			continue;
		s->watch.accessed = true;
		watch_resample(s);
	}
}

struct watch_costs watch_costs;

static uint64_t cpu_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

struct facts_terminal watch_terminal(const struct session *s)
{
	return (struct facts_terminal){.master = s->master.fd, .slave = s->slave, .device = s->device, .leader = s->leader,
	                               .typed_inside = s->watch.typed_inside, .is_untaken = !s->watch.consumed,
	                               .root = s->keeper_gone ? s->leader : s->keeper};
}

void watch_sample(struct session *s, struct facts *facts)
{
	uint64_t before = cpu_now();
	struct facts_terminal terminal = watch_terminal(s);
	facts_sample(&terminal, &s->watch.cache, facts);
	watch_costs.samples++;
	watch_costs.cpu_ns += cpu_now() - before;
}

/* What the process has used of the processor since the last sample, without the waiting thread's own part. */
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
	s->watch.told_end = s->ring.end;
	(waits ? owner_answer : owner_answer_deferred)(ANSWER_FACTS, s->id, payload, (size_t)(at - payload));
}

static bool same_facts(const struct facts *a, const struct facts *b)
{
	return a->wait == b->wait && a->waiter_thread == b->waiter_thread && a->slices == b->slices &&
	       a->foreground == b->foreground && a->unread == b->unread && a->canonical == b->canonical &&
	       a->echo == b->echo && a->state == b->state && a->readable == b->readable && a->activity == b->activity &&
	       a->inner == b->inner && a->passing == b->passing && a->main_timeout_ms == b->main_timeout_ms &&
	       a->other_threads_work == b->other_threads_work && a->pipe_rests == b->pipe_rests;
}

/* A program that works is not news twice, whatever its time slices: most samples of a busy one are never sent. */
static bool same_work(const struct facts *a, const struct facts *b)
{
	return a->wait == WAIT_NONE && b->wait == WAIT_NONE && a->readable && b->readable &&
	       a->foreground == b->foreground && a->state == b->state && a->activity == b->activity &&
	       a->canonical == b->canonical && a->echo == b->echo;
}

/* Work that is not the waiting thread's own. */
static bool others_work(const struct facts *f) { return f->other_threads_work || (f->pipes_on && !f->pipe_rests); }

/* Only input, which restarts the series, can end such a wait. */
static bool rests_for_good(const struct watch *w, const struct facts *f)
{
	bool endless = f->wait != WAIT_NONE && f->timeout_ms == WAIT_FOREVER && f->other_fds == 0;
	return endless && w->consumed && f->unread == 0 && f->threads <= 1 && !f->inner && !others_work(f);
}

/* A program that prints without a pause is not sampled at every piece. */
static uint64_t first_step(const struct watch *w)
{
	unsigned slower = w->restarts / 8 < STEPS_SLOWER_MAX ? w->restarts / 8 : STEPS_SLOWER_MAX;
	return first_step_ns << slower;
}

/* A program that polls is sampled again when its time-out is over: it may then do something else without any event. */
static uint64_t rest_step(struct watch *w, const struct facts *f)
{
	uint64_t step = rest_steps_ns[w->rest_steps++];
	uint64_t round = f->timeout_ms > 0 ? (uint64_t)f->timeout_ms * MS + MS : step;
	return round < step ? round : step;
}

/* The work of others is not over when the waiting thread's time-out is: the next sample comes soon, later ones more
 * and more slowly. */
static uint64_t parallel_step(struct watch *w)
{
	unsigned slower = w->parallel_samples++ / PARALLEL_SAMPLES;
	w->rest_steps = PARALLEL_REST_STEPS;
	return rest_steps_ns[PARALLEL_REST_STEPS] << (slower < STEPS_SLOWER_MAX ? slower : STEPS_SLOWER_MAX);
}

/* How long until the next sample; 0 when none is needed before something happens. */
static uint64_t watch_next_step(struct watch *w, const struct facts *f, bool complete)
{
	if (complete && w->consumed && f->wait != WAIT_NONE) {
		if (rests_for_good(w, f))
			return 0;
		if (others_work(f) && w->rest_steps > PARALLEL_REST_STEPS)
			return parallel_step(w);
		if (w->rest_steps < REST_STEPS_MAX)
			return rest_step(w, f);
	} else {
		w->rest_steps = 0;
		if (w->busy_steps < BUSY_STEPS_MAX)
			w->busy_steps++;
	}
	uint64_t step = first_step(w);
	for (unsigned i = 1; i < w->busy_steps; i++)
		step += step / 2;
	return w->rest_steps >= REST_STEPS_MAX || step > last_step_ns ? last_step_ns : step;
}

/* What the program wrote before it began to wait may still be on its way through the kernel: reading brings it in. If something
 * came, or could not be read, the sample is older than the output and proves no wait. One that is taken at once does: most
 * programs that wait have written all that they write. Returns whether the sample is as new as the output. */
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
	/* What came brings a new series of samples (watch_resample), of which a complete one needs no other. */
	if (complete)
		timer_disarm(&w->timer);
	judge_other_threads(w, &facts);
	/* Of a program that hides its calls, too, samples that find nothing new are the proof. */
	bool proves_rest = facts.wait != WAIT_NONE ? w->rest_steps < REST_STEPS_MAX
	                                           : !facts.readable && w->busy_steps < BUSY_STEPS_MAX;
	/* That it still works is no news, but for how long after which output it does. */
	bool is_late = w->busy_steps >= BUSY_STEPS_MAX && w->told_end != s->ring.end;
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

static void resample_in(struct session *s, uint64_t ns)
{
	struct watch *w = &s->watch;
	if (!w->on || s->leader_gone)
		return;
	if (w->busy_steps > 0 || w->restarts > 0)
		w->restarts++;
	uint64_t soon = loop_now() + ns;
	w->busy_steps = w->rest_steps = w->parallel_samples = 0;
	facts_cache_doubt(&w->cache);
	if (!w->timer.link || w->timer.at > soon)
		timer_arm(&w->timer, soon);
}

void watch_resample(struct session *s)
{
	resample_in(s, first_step(&s->watch));
}

/* What answers the input is often all that there is, and the program waits again before we have read it. */
void watch_resample_after_output(struct session *s)
{
	resample_in(s, s->watch.restarts < SAMPLES_AT_OUTPUT ? 0 : first_step(&s->watch));
}

static size_t caches_kept;

static void watch_take_cache(struct watch *w)
{
	caches_kept -= w->kept_since > 0;
	w->kept_since = 0;
}

static void watch_end_cache(struct watch *w)
{
	watch_take_cache(w);
	facts_cache_clear(&w->cache);
}

void watch_keep_cache(struct watch *w)
{
	caches_kept += w->kept_since == 0;
	w->kept_since = loop_now();
	if (caches_kept <= CACHES_KEPT_MAX)
		return;
	struct watch *oldest = w;
	for (struct session *s = sessions; s; s = s->next)
		if (s->watch.kept_since > 0 && s->watch.kept_since < oldest->kept_since)
			oldest = &s->watch;
	watch_end_cache(oldest);
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
		w->on = false;
		watch_stop(w);
		watch_keep_cache(w);
		return;
	}
	watch_take_cache(w);
	if (!w->on)
		w->reads = s->master.fd < 0 ? -1 : reads_watch(s->master.fd, was_read);
	w->on = true;
	w->reported = false;
	w->busy_steps = w->rest_steps = 0;
	if (!s->leader_gone)
		sample_due(&w->timer);
}

void watch_free(struct session *s)
{
	watch_stop(&s->watch);
	watch_end_cache(&s->watch);
}
