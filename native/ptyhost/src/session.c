#include "session.h"

#include "answers.h"
#include "protocol.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

struct session *sessions;
size_t session_count;

struct session *session_find(uint32_t id)
{
	for (struct session *s = sessions; s; s = s->next)
		if (s->id == id)
			return s;
	return NULL;
}

void session_answer_spawned(const struct session *s, int error, enum spawn_stage stage)
{
	uint8_t payload[BYTES_SPAWNED], *at = payload;
	write_u32(&at, s->spawn_request);
	write_u32(&at, error ? 0 : (uint32_t)s->leader);
	write_u32(&at, (uint32_t)error);
	write_u8(&at, (uint8_t)stage);
	owner_answer(ANSWER_SPAWNED, s->id, payload, sizeof payload);
}

bool session_signal(struct session *s, int signal_number)
{
	pid_t group = 0;
	if (s->master.fd < 0 || ioctl(s->master.fd, TIOCGPGRP, &group) < 0 || group <= 0)
		return false;
	return kill(-group, signal_number) == 0;
}

int session_exit_code(const struct session *s) { return WIFEXITED(s->status) ? WEXITSTATUS(s->status) : -1; }
int session_exit_signal(const struct session *s) { return WIFSIGNALED(s->status) ? WTERMSIG(s->status) : 0; }
