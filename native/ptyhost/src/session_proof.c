/*
 * "The program waits" means little unless it has taken the last input; the state before the write looks the same. Proof is
  * a new time slice of the waiting thread, another waiting thread or foreground group, a read of the terminal, or output that
  * the kernel's echo cannot explain. A time-out is no proof: a busy machine may take a tenth of a second to deliver the bytes
  * to the terminal.
 */
#include "session_proof.h"

#include "limits.h"
#include "proctree.h"
#include "reads.h"
#include "session_sample.h"
#include "session_steps.h"

#include <string.h>

enum { BASELINE_BYTES = 4096, PART_BYTES = 3500 };

/* A busy kernel may deliver the next part of an input this late. */
static const uint64_t parts_rest_ns = 50 * MS;

static bool took_text(const struct watch *w, const struct facts *facts, bool woke, bool other_thread)
{
	/* Output of a multiplexer may come from any pane. */
	bool answered = w->output_since_write && !facts->echo && !facts->untaken;
	/* A relay takes the input immediately; the program inside may not have taken it. */
	bool emptied = facts->emptied && (w->ended_line || !facts->canonical);
	bool took = (w->accessed || emptied) && !facts->inner;
	/* A signal wakes a program and makes it draw as well. A program that reads its standard input is known to have read. */
	bool reads_reported = w->reads_watched && facts->waiter && !facts->own_descriptor && !facts->inner;
	return took || other_thread || (!reads_reported && (woke || answered));
}

/* True if it sleeps at this moment, independently of earlier samples. */
static bool sleeps_now(pid_t pid)
{
	struct process_stat stat;
	return pid > 0 && process_stat(pid, &stat) == 0 && stat.state == 'S' && !stat.exiting;
}

/* The terminal converts the key to a signal some time after the write. With echo, the key's echo follows the signal. Without
 * echo, a sleeping line editor must have been woken. A program that sleeps again has handled the signal. */
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
	/* For a program that hides its calls, its process counts. */
	other_thread |= facts->worker && w->worker_before && facts->worker != w->worker_before;
	bool is_same = facts->waiter_thread == w->thread_before && facts->worker == w->worker_before;
	bool woke = (facts->waiter_thread || facts->worker) && is_same && facts->slices != w->slices_before;
	if (!w->last.waiter_thread || facts->waiter_thread != w->last.waiter_thread || facts->slices != w->last.slices)
		w->rests_since = loop_now();
	/* While input is unread, another cause woke the program: a timer or earlier input. */
	bool relay_works = w->typed_inside && !facts->inner && facts->readable && facts->wait == WAIT_NONE;
	bool is_on_its_way = facts->passing || relay_works || (!w->signal && facts->unread > 0);
	if (is_on_its_way || (w->in_parts && loop_now() - w->rests_since < parts_rest_ns))
		return;
	w->consumed = other_program || (w->signal ? took_signal : took_text)(w, facts, woke, other_thread);
}

/* Records the state just before the last bytes of an input are written; later changes were caused by them. */
void watch_before_write(struct session *s, int signal_number)
{
	struct watch *w = &s->watch;
	size_t left = bytes_length(&s->input);
	/* For a long input written in pieces, its beginning and its end are enough. */
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
	/* A multiplexer that has not passed on the input before may wake the pane's program for that one. */
	if (facts.unread + left > PART_BYTES || (facts.inner && !w->consumed))
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

/* Returns whether this is the terminal's echo of a key that becomes a signal: ^C, or the key itself. */
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
	if (length > 0)
		s->watch.in_line = data[length - 1] != '\n';
	if (s->watch.signal && !s->watch.signal_echoed)
		s->watch.signal_echoed = echoes_signal(data, length);
	watch_resample_after_output(s);
}
