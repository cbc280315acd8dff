#include "gate_watch.h"

#include "gate_state.h"

#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { PATIENCE_MS = 2000, MS_IN_S = 1000, NS_IN_MS = 1000000 };

static int shared = -1;
static int64_t begun_at;

static void set_timer(int timer, int64_t ms)
{
	const struct itimerspec time = {.it_value = {.tv_sec = ms / MS_IN_S, .tv_nsec = ms % MS_IN_S * NS_IN_MS}};
	timerfd_settime(timer, 0, &time, NULL);
}

int gate_watch_make(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

/* The timer is set once for all calls of its time: setting it for each would cost as much as looking at a file. */
bool gate_watch_is_over(int timer)
{
	uint64_t times;
	if (read(timer, &times, sizeof times) <= 0)
		return false;
	gate_state->has_timer = false; /* before the look: what begins after the look sets the timer */
	int64_t since = gate_state->watched_since;
	if (since <= 0)
		return false;
	int64_t left = since + PATIENCE_MS - gate_now_ms();
	if (left <= 0)
		return atomic_compare_exchange_strong(&gate_state->watched_since, &since, WATCH_OVER);
	gate_state->has_timer = true;
	set_timer(timer, left);
	return false;
}

void gate_watch_init(int timer)
{
	shared = timer;
	gate_state->watched_since = WATCH_OFF;
	gate_state->has_timer = false;
}

void gate_watch_begin(void)
{
	if (shared < 0)
		return;
	begun_at = gate_now_ms();
	gate_state->watched_since = begun_at;
	if (!atomic_exchange(&gate_state->has_timer, true))
		set_timer(shared, PATIENCE_MS);
}

void gate_watch_end(void)
{
	if (shared < 0)
		return;
	int64_t since = begun_at;
	if (!atomic_compare_exchange_strong(&gate_state->watched_since, &since, WATCH_OFF))
		_exit(0); /* the next supervisor has the call */
}
