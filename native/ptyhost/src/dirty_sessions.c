#include "dirty_sessions.h"

#include "session.h"

struct session *dirty_first;
static struct session **dirty_last = &dirty_first;

void dirty_sessions_add(struct session *s)
{
	if (s->dirty)
		return;
	s->dirty = true;
	s->dirty_next = NULL;
	*dirty_last = s;
	dirty_last = &s->dirty_next;
}

void dirty_sessions_remove(struct session *s)
{
	if (!s->dirty)
		return;
	struct session **link = &dirty_first;
	while (*link != s)
		link = &(*link)->dirty_next;
	*link = s->dirty_next;
	if (dirty_last == &s->dirty_next)
		dirty_last = link;
	s->dirty = false;
}
