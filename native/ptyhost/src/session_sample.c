#include "session_sample.h"

#include "limits.h"

#include <time.h>

struct watch_costs watch_costs;
unsigned watches_on;

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

/* ---- caches between watches ---- */

static size_t caches_kept;

void watch_take_cache(struct watch *w)
{
	caches_kept -= w->kept_since > 0;
	w->kept_since = 0;
}

void watch_end_cache(struct watch *w)
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
