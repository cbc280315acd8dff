#include "shutdown.h"

#include "answers.h"
#include "session_ending.h"

enum { SHUTDOWN_GRACE_MS = 200 };

static bool shutting_down, shutdown_answered;
static uint32_t shutdown_request;

void shutdown_begin(uint32_t request)
{
	shutting_down = true;
	shutdown_request = request;
	for (struct session *s = sessions, *next; s; s = next) {
		next = s->next;
		if (!s->closing)
			session_close(s, 0, SHUTDOWN_GRACE_MS, false);
	}
}

bool is_shutting_down(void) { return shutting_down; }

bool shutdown_finished(void)
{
	if (!shutting_down || session_count > 0)
		return false;
	if (!shutdown_answered)
		owner_done(0, shutdown_request);
	shutdown_answered = true;
	return true;
}
