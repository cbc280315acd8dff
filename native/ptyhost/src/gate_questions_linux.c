#include "gate_questions.h"

#include "gate_area.h"
#include "gate_process.h"
#include "gate_watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t count_of_job(pid_t group, enum gate_verb verb)
{
	size_t count = 0;
	for (size_t i = 0; i < gate_state->question_count; i++) {
		const struct gate_question *asked = &gate_state->questions[i];
		count += asked->group == group && asked->verb == verb && !asked->is_for_all;
	}
	return count;
}

/* The area of a question about a process is the name in front: gate_reach.h. */
static bool is_about_process(enum gate_verb verb) { return verb == GATE_CONNECT || verb == GATE_SIGNAL || verb == GATE_TRACE || verb == GATE_HIDDEN; }

static void describe(struct gate_question *asked)
{
	gate_watch_begin();
	if (is_about_process(asked->verb))
		snprintf(asked->area, sizeof asked->area, "%.*s", (int)strcspn(asked->path, "/"), asked->path);
	else /* the processes of a job may name file after file: after a few the next question is about a wider area */
		gate_area_find(asked, count_of_job(asked->group, asked->verb) < NAMED_MAX, asked->area);
	gate_watch_end();
	gate_process_describe(asked->pid, asked->program, asked->command);
}

/* ---- questions ---- */

static void forget(size_t index)
{
	struct gate_question *questions = gate_state->questions;
	questions[index] = questions[--gate_state->question_count];
}

/* An open question is never forgotten: calls wait for it. There are fewer of them than places. */
static struct gate_question *place_for_next(void)
{
	if (gate_state->question_count == QUESTIONS_MAX) {
		size_t oldest = QUESTIONS_MAX;
		for (size_t i = 0; i < QUESTIONS_MAX; i++) {
			const struct gate_question *one = &gate_state->questions[i];
			if (one->answer != GATE_OPEN && (oldest == QUESTIONS_MAX || one->used_at < gate_state->questions[oldest].used_at))
				oldest = i;
		}
		forget(oldest);
	}
	return &gate_state->questions[gate_state->question_count++];
}

static bool is_refused(enum gate_answer answer) { return answer == GATE_DENIED || answer == GATE_EXPIRED; }
static bool takes_away(enum gate_verb verb) { return verb == GATE_DELETE || verb == GATE_MOVE || verb == GATE_WRITE || verb == GATE_MODE; }

/* How well a question fits a call of its job. A denied `mv` copies and deletes instead: it is the same thing, and is not asked about again. */
static enum { FITS_NOT, FITS_OTHER, FITS } fit(const struct gate_question *asked, enum gate_verb verb)
{
	if (asked->verb == verb)
		return FITS;
	return is_refused(asked->answer) && takes_away(asked->verb) && takes_away(verb) ? FITS_OTHER : FITS_NOT;
}

/* The one whose area is nearest to the path, else the open one that stands for all: its answer is for the calls that wait, and no later one. */
static struct gate_question *find(pid_t group, enum gate_verb verb, const char *path)
{
	struct gate_question *nearest[] = {[FITS] = NULL}, *for_all = NULL;
	for (size_t i = 0; i < gate_state->question_count; i++) {
		struct gate_question *asked = &gate_state->questions[i];
		if (asked->is_for_all) {
			for_all = asked->answer == GATE_OPEN ? asked : for_all;
			continue;
		}
		if (asked->group != group || !*asked->area || !gate_is_below(path, asked->area))
			continue;
		struct gate_question **best = &nearest[fit(asked, verb)];
		if (!*best || strlen(asked->area) > strlen((*best)->area))
			*best = asked;
	}
	return nearest[FITS] ? nearest[FITS] : nearest[FITS_OTHER] ? nearest[FITS_OTHER] : for_all;
}

static size_t open_count(void)
{
	size_t count = 0;
	for (size_t i = 0; i < gate_state->question_count; i++)
		count += gate_state->questions[i].answer == GATE_OPEN;
	return count;
}

static struct gate_question *ask_next(pid_t thread, pid_t group, enum gate_verb verb, const char *path)
{
	/* It is added when it is whole: the supervisor may end while it looks at the places that the command names. */
	static struct gate_question next;
	bool is_too_much = open_count() >= OPEN_MAX;
	next = (struct gate_question){
		.id = ++gate_state->last_id,
		.pid = thread,
		.group = group,
		.verb = verb,
		.answer = gate_state->asks ? GATE_OPEN : GATE_NOTED,
		.is_for_all = is_too_much,
		.deadline = gate_now_ms() + gate_state->deadline_ms,
	};
	snprintf(next.path, sizeof next.path, "%s", path);
	describe(&next);
	/* 100,000 folders are not 100,000 questions. */
	if (is_too_much || (*path == '/' && count_of_job(group, verb) >= PLACES_MAX))
		snprintf(next.area, sizeof next.area, "/");
	struct gate_question *asked = place_for_next();
	*asked = next;
	return asked;
}

struct gate_question *gate_ask(pid_t thread, enum gate_verb verb, const char *path)
{
	pid_t group = getpgid(thread);
	struct gate_question *found = find(group, verb, path);
	if (!found)
		found = ask_next(thread, group, verb, path);
	found->count++;
	found->used_at = gate_now_ms();
	return found;
}

struct gate_question *gate_question_find(uint32_t id)
{
	for (size_t i = 0; i < gate_state->question_count; i++)
		if (gate_state->questions[i].id == id)
			return &gate_state->questions[i];
	return NULL;
}

void gate_question_answer(struct gate_question *asked, enum gate_answer answer)
{
	asked->answer = answer;
	gate_state->has_answers = true;
}

int gate_questions_expire(void)
{
	int64_t now = gate_now_ms(), next = -1;
	for (size_t i = 0; i < gate_state->question_count; i++) {
		struct gate_question *asked = &gate_state->questions[i];
		if (asked->answer != GATE_OPEN)
			continue;
		int64_t left = asked->deadline - now;
		if (left <= 0)
			gate_question_answer(asked, GATE_EXPIRED);
		else if (next < 0 || left < next)
			next = left;
	}
	return next > INT32_MAX ? INT32_MAX : (int)next;
}

static bool has_ended(const struct gate_question *asked) { return kill(-asked->group, 0) < 0 && errno == ESRCH; }

bool gate_questions_withdraw(void)
{
	bool is_any_open = false;
	for (size_t i = 0; i < gate_state->question_count; i++) {
		struct gate_question *asked = &gate_state->questions[i];
		if (asked->answer == GATE_OPEN && !asked->is_for_all && has_ended(asked))
			gate_question_answer(asked, GATE_WITHDRAWN);
		is_any_open = is_any_open || asked->answer == GATE_OPEN;
	}
	return is_any_open;
}

void gate_questions_sweep(void)
{
	for (size_t i = gate_state->question_count; i-- > 0;) {
		const struct gate_question *asked = &gate_state->questions[i];
		bool is_over = asked->answer != GATE_OPEN && asked->sent == asked->count && asked->sent_answer == asked->answer;
		if (is_over && has_ended(asked))
			forget(i);
	}
}
