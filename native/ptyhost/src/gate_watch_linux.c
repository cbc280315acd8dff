#include "gate_watch.h"

#include "gate_state.h"

#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { PATIENCE_S = 2 };

static int shared = -1;

static void set_timer(int timer, int seconds)
{
	const struct itimerspec time = {.it_value.tv_sec = seconds};
	timerfd_settime(timer, 0, &time, NULL);
}

int gate_watch_make(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

bool gate_watch_is_over(int timer)
{
	uint64_t times;
	enum gate_watch_state watched = WATCH_ON;
	return read(timer, &times, sizeof times) > 0 && atomic_compare_exchange_strong(&gate_state->watch, &watched, WATCH_OVER);
}

void gate_watch_init(int timer)
{
	shared = timer;
	gate_state->watch = WATCH_OFF;
}

void gate_watch_begin(void)
{
	if (shared < 0)
		return;
	gate_state->watch = WATCH_ON;
	set_timer(shared, PATIENCE_S);
}

void gate_watch_end(void)
{
	if (shared < 0)
		return;
	set_timer(shared, 0);
	enum gate_watch_state watched = WATCH_ON;
	if (!atomic_compare_exchange_strong(&gate_state->watch, &watched, WATCH_OFF))
		_exit(0); /* the next supervisor has the call */
}
