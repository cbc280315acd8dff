#include "gate_messages.h"

#include "gate_questions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { AGAIN_MS = 1000, /* between two reports of the same question */ MESSAGE_BYTES = 2 * PATH_MAX + COMMAND_BYTES + 512 };

void gate_be_blind(enum gate_blind kind) { gate_state->blind[kind]++; }

/* ---- to the owner ---- */

static bool send_message(int channel, const char *message, size_t length)
{
	while (send(channel, message, length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		if (errno != EINTR)
			return errno != EAGAIN && errno != ENOBUFS; /* without a reader there is nothing left to send */
	return true;
}

static bool send_fields(int channel, const char *const *fields, size_t count)
{
	static char message[MESSAGE_BYTES];
	size_t length = 0;
	for (size_t i = 0; i < count; i++) {
		size_t bytes = strlen(fields[i]) + 1;
		memcpy(message + length, fields[i], bytes);
		length += bytes;
	}
	return send_message(channel, message, length);
}

static const char *answer_word(enum gate_answer answer)
{
	static const char *const words[] = {"noted", "open", "allowed", "denied", "expired", "withdrawn"};
	return words[answer];
}

static bool send_question(int channel, const struct gate_question *asked)
{
	char numbers[5][24];
	snprintf(numbers[0], sizeof numbers[0], "%u", asked->id);
	snprintf(numbers[1], sizeof numbers[1], "%llu", (unsigned long long)asked->count);
	snprintf(numbers[2], sizeof numbers[2], "%d", asked->pid);
	snprintf(numbers[3], sizeof numbers[3], "%d", asked->group);
	int64_t left = asked->deadline - gate_now_ms();
	snprintf(numbers[4], sizeof numbers[4], "%lld", asked->answer == GATE_OPEN && left > 0 ? (long long)left : 0);
	const char *const fields[] = {"asks", numbers[0], numbers[1], asked->is_for_all ? "anything" : gate_verb_word(asked->verb), asked->program,
	                              numbers[2], numbers[3], asked->command, asked->area, asked->path, answer_word(asked->answer), numbers[4]};
	return send_fields(channel, fields, sizeof fields / sizeof *fields);
}

static bool send_blind(int channel, enum gate_blind kind)
{
	static const char *const words[] = {"unread", "unresolved", "uring"};
	char count[24];
	snprintf(count, sizeof count, "%llu", (unsigned long long)gate_state->blind[kind]);
	const char *const fields[] = {"blind", count, words[kind]};
	return send_fields(channel, fields, sizeof fields / sizeof *fields);
}

void gate_report_state(int channel, const char *word, const char *reason)
{
	const char *const fields[] = {"state", word, reason};
	send_fields(channel, fields, sizeof fields / sizeof *fields);
}

static bool is_due(const struct gate_question *asked, int64_t now, bool is_end)
{
	return is_end || !asked->sent || asked->sent_answer != asked->answer || now - asked->sent_at >= AGAIN_MS;
}

int gate_messages_send(int channel, bool is_end)
{
	int64_t now = gate_now_ms();
	int wait = -1;
	for (size_t i = 0; i < gate_state->question_count; i++) {
		struct gate_question *asked = &gate_state->questions[i];
		if (asked->sent == asked->count && asked->sent_answer == asked->answer)
			continue;
		if (!is_due(asked, now, is_end)) {
			wait = AGAIN_MS;
			continue;
		}
		if (!send_question(channel, asked))
			return AGAIN_MS;
		asked->sent = asked->count;
		asked->sent_answer = asked->answer;
		asked->sent_at = now;
	}
	for (int kind = 0; kind < BLIND_KINDS; kind++) {
		if (gate_state->blind_sent[kind] == gate_state->blind[kind])
			continue;
		if (!is_end && gate_state->blind_sent[kind] && now - gate_state->blind_sent_at[kind] < AGAIN_MS) {
			wait = AGAIN_MS;
			continue;
		}
		if (!send_blind(channel, (enum gate_blind)kind))
			return AGAIN_MS;
		gate_state->blind_sent[kind] = gate_state->blind[kind];
		gate_state->blind_sent_at[kind] = now;
	}
	return wait;
}

/* ---- from the owner ---- */

/* The next owner does not know what the one before has received. */
static void send_all_again(void)
{
	for (size_t i = 0; i < gate_state->question_count; i++)
		gate_state->questions[i].sent = 0;
}

static bool take_answer(const char *id, const char *word)
{
	struct gate_question *asked = gate_question_find((uint32_t)strtoul(id, NULL, 10));
	if (!asked || asked->answer != GATE_OPEN)
		return false;
	if (strcmp(word, "allow") != 0 && strcmp(word, "deny") != 0)
		return false;
	gate_question_answer(asked, *word == 'a' ? GATE_ALLOWED : GATE_DENIED);
	return true;
}

bool gate_messages_take(int channel)
{
	static char message[256];
	bool is_answered = false;
	ssize_t length;
	while ((length = recv(channel, message, sizeof message - 1, MSG_DONTWAIT)) > 0) {
		message[length] = 0;
		const char *word = message, *end = message + length;
		const char *first = word + strlen(word) + 1 < end ? word + strlen(word) + 1 : "";
		const char *second = *first && first + strlen(first) + 1 < end ? first + strlen(first) + 1 : "";
		if (strcmp(word, "list") == 0)
			send_all_again();
		if (strcmp(word, "answer") == 0 && take_answer(first, second))
			is_answered = true;
	}
	return is_answered;
}
