#include "moments.h"

#include "limits.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_MOMENTS = 16, FIRST_GAP_MS = 16 };

/* Keeps the newest moment at or before the start of the ring: it is the time of the oldest byte. */
static void drop_lost(struct moments *m, uint64_t start)
{
	size_t lost = 0;
	while (lost + 1 < m->count && m->list[lost + 1].offset <= start)
		lost++;
	memmove(m->list, m->list + lost, (m->count - lost) * sizeof *m->list);
	m->count -= lost;
}

static void thin(struct moments *m)
{
	size_t kept = 0;
	for (size_t i = 0; i < m->count; i += 2)
		m->list[kept++] = m->list[i];
	m->count = kept;
	m->gap *= 2;
}

static bool grow(struct moments *m)
{
	size_t size = m->size ? m->size * 2 : FIRST_MOMENTS;
	struct moment *list = realloc(m->list, size * sizeof *list);
	if (!list)
		return false;
	m->list = list;
	m->size = size;
	return true;
}

void moments_add(struct moments *m, struct moment moment, uint64_t start, bool always)
{
	if (m->gap == 0)
		m->gap = FIRST_GAP_MS;
	const struct moment *last = m->count ? &m->list[m->count - 1] : NULL;
	/* A clock that was set back starts a new moment as well. */
	if (last && !always && moment.at >= last->at && moment.at - last->at < m->gap)
		return;
	if (m->count == MOMENTS_MAX) {
		drop_lost(m, start);
		/* A list that stays almost full would be compacted at every batch. */
		if (m->count > MOMENTS_MAX / 4 * 3)
			thin(m);
	}
	if (m->count == m->size && !grow(m))
		return;
	m->list[m->count++] = moment;
}

void moments_free(struct moments *m)
{
	free(m->list);
	*m = (struct moments){0};
}
