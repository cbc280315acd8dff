#include "request_spawn.h"

#include "answers.h"
#include "limits.h"
#include "session_start.h"
#include "shutdown.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void free_strings(char **strings)
{
	for (size_t i = 0; strings && strings[i]; i++)
		free(strings[i]);
	free(strings);
}

/* Adds to `bytes` the kernel memory that these strings take at a program's start. */
static char **read_strings(struct reader *r, size_t *bytes)
{
	uint32_t count = read_u32(r);
	if (count > ARGUMENTS_MAX)
		reader_fail(r, E2BIG);
	char **strings = r->bad ? NULL : calloc(count + 1, sizeof *strings);
	if (!strings)
		reader_fail(r, ENOMEM);
	for (uint32_t i = 0; !r->bad && i < count; i++) {
		strings[i] = read_string(r);
		size_t length = strings[i] ? strlen(strings[i]) : 0;
		*bytes += length + START_BYTES_EACH;
		if (length > ARGUMENT_BYTES_MAX || *bytes > START_BYTES_MAX)
			reader_fail(r, E2BIG);
	}
	return strings;
}

const char *request_problem(int problem)
{
	switch (problem) {
	case EBADMSG: return "the request is cut short";
	case EILSEQ: return "an argument, a variable or the folder holds a NUL character";
	case E2BIG: return "the arguments and the environment are more than a program can be given";
	case ENAMETOOLONG: return "the name of the folder is too long";
	case EMSGSIZE: return "the notes are too long";
	case ENOMEM: return "no memory for the request";
	default: return "a session needs a number, a size and a program";
	}
}

static bool read_start(struct session_start *start, struct reader *r)
{
	size_t bytes = 0;
	start->cols = read_u16(r);
	start->rows = read_u16(r);
	start->ring_bytes = read_u32(r);
	start->meta = read_blob(r, &start->meta_length);
	start->cwd = read_string(r);
	start->argv = read_strings(r, &bytes);
	start->envp = read_strings(r, &bytes);
	if (!r->bad && r->at < r->end)
		start->ptmx = read_string(r);
	if (!r->bad && r->at < r->end)
		start->gate = read_string(r);
	if (r->bad)
		return false;
	if (start->meta_length > META_BYTES_MAX)
		reader_fail(r, EMSGSIZE);
	if (strlen(start->cwd) > PATH_BYTES_MAX)
		reader_fail(r, ENAMETOOLONG);
	if (start->cols == 0 || start->rows == 0 || start->id == 0 || !start->argv[0])
		reader_fail(r, EINVAL);
	if (start->ring_bytes < RING_BYTES_MIN)
		start->ring_bytes = RING_BYTES_MIN;
	if (start->ring_bytes > RING_BYTES_MAX)
		start->ring_bytes = RING_BYTES_MAX;
	return !r->bad;
}

static const char *refusal(const struct session_start *start)
{
	errno = ECANCELED;
	if (is_shutting_down())
		return "ptyhost is shutting down";
	errno = EAGAIN;
	if (session_count >= SESSIONS_MAX)
		return "too many sessions";
	errno = EEXIST;
	return session_find(start->id) ? "the session id is taken" : NULL;
}

void request_spawn(uint32_t id, struct reader *r)
{
	struct session_start start = {.id = id, .request = read_u32(r)};
	if (!read_start(&start, r)) {
		owner_error(id, start.request, r->problem, request_problem(r->problem));
	} else {
		const char *problem = refusal(&start);
		if (problem)
			owner_error(id, start.request, errno, problem);
		else
			session_spawn(&start);
	}
	free(start.cwd);
	free(start.ptmx);
	free(start.gate);
	free_strings(start.argv);
	free_strings(start.envp);
}
