/*
 * "The program waits" means little unless it has taken the input that was just sent; the state from before the write
 * is the same. Proof is a new time slice of the waiting thread, another waiting thread or foreground group, a read
 * of the terminal, or output that the kernel's echo cannot explain. There is no time-out instead of it: a busy
 * machine may take a tenth of a second to move the bytes into the terminal.
 */
#include "session_proof.h"

#include "limits.h"
#include "proctree.h"
#include "reads.h"
#include "session_sample.h"
#include "session_steps.h"

#include <string.h>

enum { BASELINE_BYTES = 4096, PART_BYTES = 3500 };

/* A busy kernel may bring the next part of an input as late as this. */
static const uint64_t parts_rest_ns = 50 * MS;

static bool took_text(const struct watch *w, const struct facts *facts, bool woke, bool other_thread)
{
	/* What comes out of a multiplexer may be any pane's. */
	bool answered = w->output_since_write && !facts->echo && !facts->untaken;
	/* A relay takes the input at once; whether the program inside has is another matter. */
	bool emptied = facts->emptied && (w->ended_line || !facts->canonical);
	bool took = (w->accessed || emptied) && !facts->inner;
	/* A signal wakes a program and makes it draw as well. One that reads its standard input is known to have read. */
	bool reads_reported = w->reads_watched && facts->waiter && !facts->own_descriptor && !facts->inner;
	return took || other_thread || (!reads_reported && (woke || answered));
}

/* Asleep at this very moment, whatever was known of it before. */
static bool sleeps_now(pid_t pid)
{
	struct process_stat stat;
	return pid > 0 && process_stat(pid, &stat) == 0 && stat.state == 'S' && !stat.exiting;
}

/* The terminal makes a signal of the key some time after it was written. Where it echoes, the key's echo follows the signal;
 * where it does not, a line editor that slept must have been woken. Who sleeps again then has dealt with it. */
static bool took_signal(const struct watch *w, const struct facts *facts, bool woke, bool other_thread)
{
	if (facts->waiter && process_ignores(facts->waiter, w->signal))
		return true;
	bool is_known = facts->echo      ? w->signal_echoed
	                : facts->canonical ? false
	                                   : w->thread_before && (woke || other_thread || w->output_since_write);
	return is_known && !facts->untaken && sleeps_now(facts->waiter);
}

void watch_judge_consumed(struct watch *w, const struct facts *facts)
{
	if (w->consumed)
		return;
	bool other_program = facts->foreground != w->foreground_before && !(w->signal && facts->echo);
	bool other_thread = facts->waiter_thread && facts->waiter_thread != w->thread_before && facts->unread == 0;
	/* Of a program that hides its calls it is the process that counts. */
	other_thread |= facts->worker && w->worker_before && facts->worker != w->worker_before;
	bool is_same = facts->waiter_thread == w->thread_before && facts->worker == w->worker_before;
	bool woke = (facts->waiter_thread || facts->worker) && is_same && facts->slices != w->slices_before;
	if (!w->last.waiter_thread || facts->waiter_thread != w->last.waiter_thread || facts->slices != w->last.slices)
		w->rests_since = loop_now();
	/* As long as anything is unread, what woke a program was something else: a timer, or the input before. */
	bool relay_works = w->typed_inside && !facts->inner && facts->readable && facts->wait == WAIT_NONE;
	bool is_on_its_way = facts->passing || relay_works || (!w->signal && facts->unread > 0);
	if (is_on_its_way || (w->in_parts && loop_now() - w->rests_since < parts_rest_ns))
		return;
	w->consumed = other_program || (w->signal ? took_signal : took_text)(w, facts, woke, other_thread);
}

/* How things stand just before the last bytes of an input go out; what changes after that was caused by them. */
void watch_before_write(struct session *s, int signal_number)
{
	struct watch *w = &s->watch;
	size_t left = bytes_length(&s->input);
	/* Of a long input that goes out bit by bit, its beginning and its end will do. */
	if (left > BASELINE_BYTES && w->in_parts)
		return;
	struct facts facts;
	reads_report_now();
	facts_search_anew(&w->cache);
	watch_sample(s, &facts);
	if (facts.inner) {
		struct facts_terminal terminal = watch_terminal(s);
		facts_before_input(&terminal, &w->cache);
	}
	if (facts.unread + left > PART_BYTES)
		w->in_parts = true;
	w->thread_before = facts.waiter_thread;
	w->slices_before = facts.slices;
	w->worker_before = facts.worker;
	w->foreground_before = facts.foreground;
	w->typed_inside = facts.inner && facts.waiter;
	w->reads_watched = w->on && w->reads >= 0;
	w->signal = signal_number;
	uint8_t last = left > 0 ? bytes_front(&s->input)[left - 1] : 0;
	w->ended_line = last == '\r' || last == '\n';
	w->echoed = facts.echo || !facts.canonical;
	if (!w->on)
		watch_keep_cache(w);
}

void watch_after_write(struct session *s)
{
	s->watch.consumed = false;
	s->watch.accessed = false;
	s->watch.reported = false;
	s->watch.output_since_write = false;
	s->watch.signal_echoed = false;
	s->watch.rests_since = loop_now();
	s->watch.restarts = 0;
	watch_resample(s);
}

/* How a terminal echoes a key that becomes a signal: ^C, or the key itself. */
static bool echoes_signal(const uint8_t *data, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (data[i] == 0x03 || data[i] == 0x1a || data[i] == 0x1c ||
		    (data[i] == '^' && i + 1 < length && memchr("CZ\\", data[i + 1], 3)))
			return true;
	return false;
}

void watch_output(struct session *s, const uint8_t *data, size_t length)
{
	s->watch.output_since_write = true;
	s->watch.output_at = loop_now();
	if (s->watch.signal && !s->watch.signal_echoed)
		s->watch.signal_echoed = echoes_signal(data, length);
	watch_resample_after_output(s);
}
