#include "gate_questions.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	QUESTIONS_MAX = 128, /* the one that was asked longest ago gives its place to the next one */
	COMMAND_BYTES = 256, /* of a command line, as a person is shown it */
	PROGRAM_BYTES = 16,
	AGAIN_MS = 1000,     /* between two reports of the same question */
};

static struct question {
	uint32_t id;
	pid_t pid, group;
	enum gate_verb verb;
	uint64_t count, sent;
	int64_t sent_at, asked_at;
	char program[PROGRAM_BYTES], command[COMMAND_BYTES], area[PATH_MAX], path[PATH_MAX];
} questions[QUESTIONS_MAX];
static size_t question_count;
static uint32_t last_id;
static int channel = -1;
static uint64_t blind[BLIND_KINDS], blind_sent[BLIND_KINDS];

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void gate_questions_init(int to_owner) { channel = to_owner; }

/* ---- the process that asks ---- */

static ssize_t read_of_process(pid_t pid, const char *what, char *to, size_t max)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/%d/%s", pid, what);
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, to, max - 1);
	if (fd >= 0)
		close(fd);
	to[length < 0 ? 0 : length] = 0;
	return length;
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);
	if (length == 1 && *folder == '/')
		return true;
	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The first part of the path below the home, two parts where programs keep many things; else the first three parts. */
static void area_by_place(const char *path, char *area)
{
	const char *home = getenv("HOME");
	size_t start = home && *home == '/' && home[1] && is_below(path, home) && path[strlen(home)] ? strlen(home) : 0;
	int parts = start ? 1 : 3;
	static const char *const crowded[] = {"/.config", "/.local", "/.cache"};
	for (size_t i = 0; start && i < sizeof crowded / sizeof *crowded; i++)
		if (is_below(path + start, crowded[i]))
			parts = 2;
	const char *end = path + start;
	while (*end && parts-- >= 0) {
		if (parts < 0)
			break;
		end += 1 + strcspn(end + 1, "/");
	}
	snprintf(area, PATH_MAX, "%.*s", (int)(end - path), path);
}

/* The longest argument of the command that the path is below: `rm -rf build` is about build. */
static void find_area(const struct question *asked, const char *line, ssize_t length, char *area)
{
	static char folder[PATH_MAX], full[2 * PATH_MAX], real[PATH_MAX];
	char name[64];
	snprintf(name, sizeof name, "/proc/%d/cwd", asked->pid);
	ssize_t end = readlink(name, folder, sizeof folder - 1);
	folder[end < 0 ? 0 : end] = 0;
	*area = 0;
	for (const char *at = line + strlen(line) + 1; at < line + length; at += strlen(at) + 1) {
		if (!*at || *at == '-')
			continue;
		snprintf(full, sizeof full, "%s%s%s", *at == '/' ? "" : folder, *at == '/' ? "" : "/", at);
		if (realpath(full, real) && strcmp(real, "/") != 0 && is_below(asked->path, real) && strlen(real) > strlen(area))
			snprintf(area, PATH_MAX, "%s", real);
	}
	if (!*area)
		area_by_place(asked->path, area);
}

static void describe(struct question *asked)
{
	static char line[8192];
	if (read_of_process(asked->pid, "comm", asked->program, sizeof asked->program) > 0)
		asked->program[strcspn(asked->program, "\n")] = 0;
	ssize_t length = read_of_process(asked->pid, "cmdline", line, sizeof line);
	find_area(asked, line, length < 0 ? 0 : length, asked->area);
	for (ssize_t i = 0; i + 1 < length; i++)
		if (!line[i])
			line[i] = ' ';
	snprintf(asked->command, sizeof asked->command, "%.*s", COMMAND_BYTES - 1, line);
}

/* ---- questions ---- */

static struct question *place_for_next(void)
{
	if (question_count < QUESTIONS_MAX)
		return &questions[question_count++];
	struct question *oldest = questions;
	for (size_t i = 1; i < QUESTIONS_MAX; i++)
		if (questions[i].asked_at < oldest->asked_at)
			oldest = &questions[i];
	return oldest;
}

void gate_ask(pid_t thread, enum gate_verb verb, const char *path)
{
	pid_t group = getpgid(thread);
	for (size_t i = 0; i < question_count; i++) {
		struct question *asked = &questions[i];
		if (asked->group != group || asked->verb != verb || !is_below(path, asked->area))
			continue;
		asked->count++;
		asked->asked_at = now_ms();
		return;
	}
	struct question *asked = place_for_next();
	*asked = (struct question){.id = ++last_id, .pid = thread, .group = group, .verb = verb, .count = 1, .asked_at = now_ms()};
	snprintf(asked->path, sizeof asked->path, "%s", path);
	describe(asked);
}

void gate_be_blind(enum gate_blind kind) { blind[kind]++; }

/* ---- messages ---- */

static bool send_message(int to, const char *message, size_t length)
{
	while (send(to, message, length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		if (errno != EINTR)
			return errno != EAGAIN && errno != ENOBUFS; /* without a reader there is nothing left to send */
	return true;
}

static bool send_question(struct question *asked)
{
	static char message[2 * PATH_MAX + COMMAND_BYTES + 256];
	/* The format cannot hold a NUL, so each field is written behind the one before. */
	size_t length = 0;
	char numbers[4][24];
	snprintf(numbers[0], sizeof numbers[0], "%u", asked->id);
	snprintf(numbers[1], sizeof numbers[1], "%llu", (unsigned long long)asked->count);
	snprintf(numbers[2], sizeof numbers[2], "%d", asked->pid);
	snprintf(numbers[3], sizeof numbers[3], "%d", asked->group);
	const char *const fields[] = {"asks", numbers[0], numbers[1], gate_verb_word(asked->verb), asked->program, numbers[2], numbers[3],
	                              asked->command, asked->area, asked->path};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		size_t field = strlen(fields[i]) + 1;
		memcpy(message + length, fields[i], field);
		length += field;
	}
	return send_message(channel, message, length);
}

static bool send_blind(enum gate_blind kind)
{
	static const char *const words[] = {"unread", "unresolved", "uring"};
	char message[64];
	int length = snprintf(message, sizeof message, "blind%c%llu%c%s", 0, (unsigned long long)blind[kind], 0, words[kind]);
	return send_message(channel, message, (size_t)length + 1);
}

void gate_report_state(int to, const char *word, const char *reason)
{
	char message[256];
	int length = snprintf(message, sizeof message, "state%c%s%c%s", 0, word, 0, reason);
	send_message(to, message, (size_t)length + 1);
}

int gate_questions_send(bool is_end)
{
	int64_t now = now_ms();
	int wait = -1;
	for (size_t i = 0; i < question_count; i++) {
		struct question *asked = &questions[i];
		if (asked->sent == asked->count)
			continue;
		if (!is_end && asked->sent && now - asked->sent_at < AGAIN_MS) {
			wait = AGAIN_MS;
			continue;
		}
		if (!send_question(asked))
			return AGAIN_MS;
		asked->sent = asked->count;
		asked->sent_at = now;
	}
	for (int kind = 0; kind < BLIND_KINDS; kind++) {
		if (blind_sent[kind] == blind[kind])
			continue;
		if (!send_blind((enum gate_blind)kind))
			return AGAIN_MS;
		blind_sent[kind] = blind[kind];
	}
	return wait;
}
