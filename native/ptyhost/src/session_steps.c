/*
 * An event (output, input, a read of the terminal) starts a series of samples, close together at first: most programs
  * settle within a millisecond. The steps grow up to last_step_ns. While the program waits, their distances match the rest
  * times that verdicts need (evidence-table.ts). A wait that only input can end is sampled once.
 */
#include "session_steps.h"

#include "limits.h"
#include "session_sample.h"

enum { STEPS_SLOWER_MAX = 5, SAMPLES_AT_OUTPUT = 4, PROMPT_SAMPLES = 200, PROMPT_WATCHES_MAX = 32 };

static const uint64_t first_step_ns = MS / 5, last_step_ns = 200 * MS;
/* Programs often write a prompt and only then load what they ask for: the steps stay this short for the first PROMPT_SAMPLES,
 * unless more than PROMPT_WATCHES_MAX sessions are sampled. */
static const uint64_t prompt_step_ns = 20 * MS;
/* The steps between samples of a resting program: proof of 0.5, 2, 8, 20, 100 and 400 ms of rest. */
static const uint64_t rest_steps_ns[] = {MS / 2, MS * 3 / 2, 6 * MS, 12 * MS, 80 * MS, 300 * MS};
enum { PARALLEL_REST_STEPS = 3, PARALLEL_SAMPLES = 4 };
_Static_assert(sizeof rest_steps_ns / sizeof *rest_steps_ns == REST_STEPS_MAX, "a step for each rest");

/* Work of threads other than the waiting one. */
static bool others_work(const struct facts *f) { return f->other_threads_work || (f->pipes_on && !f->pipe_rests); }

/* Only input, which restarts the series, can end such a wait. */
static bool rests_for_good(const struct watch *w, const struct facts *f)
{
	bool endless = f->wait != WAIT_NONE && f->timeout_ms == WAIT_FOREVER && f->other_fds == 0;
	return endless && w->consumed && f->unread == 0 && f->threads <= 1 && !f->inner && !others_work(f);
}

/* A program that prints continuously is not sampled at every piece. */
static uint64_t first_step(const struct watch *w)
{
	unsigned slower = w->restarts / 8 < STEPS_SLOWER_MAX ? w->restarts / 8 : STEPS_SLOWER_MAX;
	return first_step_ns << slower;
}

/* A program that polls is sampled again after its time-out, because it may then act without any event. */
static uint64_t rest_step(struct watch *w, const struct facts *f)
{
	uint64_t step = rest_steps_ns[w->rest_steps++];
	uint64_t round = f->timeout_ms > 0 ? (uint64_t)f->timeout_ms * MS + MS : step;
	return round < step ? round : step;
}

/* The other threads may still work after the waiting thread's time-out: the next sample follows soon, later ones at growing
 * distances. */
static uint64_t parallel_step(struct watch *w)
{
	unsigned slower = w->parallel_samples++ / PARALLEL_SAMPLES;
	w->rest_steps = PARALLEL_REST_STEPS;
	return rest_steps_ns[PARALLEL_REST_STEPS] << (slower < STEPS_SLOWER_MAX ? slower : STEPS_SLOWER_MAX);
}

uint64_t watch_next_step(struct watch *w, const struct facts *f, bool complete)
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
	bool behind_prompt = w->in_line && f->wait == WAIT_NONE && w->prompt_samples < PROMPT_SAMPLES &&
	                     watches_on <= PROMPT_WATCHES_MAX;
	if (behind_prompt && step > prompt_step_ns) {
		w->prompt_samples++;
		return prompt_step_ns;
	}
	return w->rest_steps >= REST_STEPS_MAX || step > last_step_ns ? last_step_ns : step;
}

static void resample_in(struct session *s, uint64_t ns)
{
	struct watch *w = &s->watch;
	if (!w->on || s->leader_gone)
		return;
	if (w->busy_steps > 0 || w->restarts > 0)
		w->restarts++;
	uint64_t soon = loop_now() + ns;
	w->busy_steps = w->rest_steps = w->parallel_samples = w->prompt_samples = 0;
	facts_cache_doubt(&w->cache);
	if (!w->timer.link || w->timer.at > soon)
		timer_arm(&w->timer, soon);
}

void watch_resample(struct session *s)
{
	resample_in(s, first_step(&s->watch));
}

/* The answer to the input is often a single piece, and the program waits again before ptyhost has read it. */
void watch_resample_after_output(struct session *s)
{
	resample_in(s, s->watch.restarts < SAMPLES_AT_OUTPUT ? 0 : first_step(&s->watch));
}
