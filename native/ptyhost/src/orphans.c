#include "orphans.h"

#include "limits.h"
#include "proctree.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct orphan {
	pid_t pid;
	uint32_t session;
};

static struct orphan *orphans;
static size_t count, capacity;

/* Sessions of the orphans reaped since the last claim. */
static bool claim_is_due;
static uint32_t claim_for;

static bool is_known(pid_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (orphans[i].pid == pid)
			return true;
	for (const struct session *s = sessions; s; s = s->next)
		if ((pid == s->keeper && !s->keeper_reaped) || (pid == s->leader && !s->leader_gone))
			return true;
	return false;
}

/* The owner among several sessions without a keeper: the one with its terminal or with its program's session. */
static uint32_t owner_of(const struct process_stat *stat, uint32_t otherwise)
{
	for (const struct session *s = sessions; s; s = s->next)
		if (s->keeper_reaped && s->leader > 0 && (stat->session == s->leader || (stat->terminal && stat->terminal == s->device)))
			return s->id;
	return otherwise;
}

static bool make_room(void)
{
	if (count < capacity)
		return true;
	size_t more = capacity ? capacity * 2 : 64;
	struct orphan *larger = more <= ORPHANS_MAX ? realloc(orphans, more * sizeof *orphans) : NULL;
	if (!larger)
		return false;
	orphans = larger;
	capacity = more;
	return true;
}

void orphans_claim(uint32_t session)
{
	static pid_t children[ORPHANS_MAX];
	size_t total = process_children_of(getpid(), children, ORPHANS_MAX);
	for (size_t i = 0; i < total; i++) {
		struct process_stat stat;
		/* Without memory it stays unrecorded; the next claim finds it again. */
		if (is_known(children[i]) || process_stat(children[i], &stat) < 0 || stat.parent != getpid() || !make_room())
			continue;
		orphans[count++] = (struct orphan){.pid = children[i], .session = owner_of(&stat, session)};
	}
}

bool orphan_ended(pid_t pid)
{
	for (size_t i = 0; i < count; i++) {
		if (orphans[i].pid != pid)
			continue;
		orphans_due(orphans[i].session);
		orphans[i] = orphans[--count];
		return true;
	}
	return false;
}

void orphans_due(uint32_t session)
{
	claim_is_due = true;
	if (session)
		claim_for = session;
}

void orphans_claim_due(void)
{
	if (claim_is_due)
		orphans_claim(claim_for);
	claim_is_due = false;
	claim_for = 0;
}

size_t orphans_of(uint32_t session, pid_t *found, size_t max)
{
	size_t kept = 0;
	for (size_t i = 0; i < count && kept < max; i++)
		if (orphans[i].session == session)
			found[kept++] = orphans[i].pid;
	return kept;
}

void orphans_release(uint32_t session)
{
	for (size_t i = 0; i < count; i++)
		if (orphans[i].session == session)
			orphans[i].session = 0;
}
