#include "gate_judge.h"

#include "gate_keep.h"
#include "gate_made.h"
#include "gate_questions.h"
#include "gate_reach.h"
#include "gate_table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { WRITING = O_WRONLY | O_RDWR };

static struct gate_question *ask_about(const struct gate_trap *trap, enum gate_verb verb, const struct gate_place *place, bool is_new)
{
	const struct gate_effect effect = {
		.verb = verb,
		.place = place,
		.is_new = is_new,
		.is_made = !is_new && place->exists && gate_made_has(&place->file),
		.is_linked = !is_new && place->links > 1 && gate_linked_has(&place->file),
	};
	return gate_asks(&effect) ? gate_ask((pid_t)trap->notice->pid, verb, place->shown) : NULL;
}

static bool is_nameless(const struct gate_trap *trap) { return (trap->how.flags & O_TMPFILE) == O_TMPFILE; }

static bool is_settled(const struct gate_question *asked) { return !asked || asked->answer == GATE_ALLOWED || asked->answer == GATE_NOTED; }

/* The second question about a call comes when the first is allowed: a call that is held is judged once more. */
static struct gate_question *judge_move(struct gate_trap *trap)
{
	bool is_over = trap->place2.exists;
	struct gate_question *over = is_over ? ask_about(trap, GATE_WRITE, &trap->place2, false) : NULL;
	if (!is_settled(over))
		return over;
	struct gate_question *from = ask_about(trap, GATE_MOVE, &trap->place, false);
	/* A file that the terminal moves out of a free place stays its own. */
	if (!from && !gate_is_free(&trap->place2))
		gate_made_add(&trap->place.file);
	if (!is_settled(from))
		return from;
	struct gate_question *new = is_over ? NULL : ask_about(trap, GATE_CREATE, &trap->place2, true);
	return new ? new : from ? from : over;
}

static struct gate_question *judge_link(struct gate_trap *trap)
{
	if (!gate_is_free(&trap->place) && !gate_made_has(&trap->place.file))
		gate_linked_add(&trap->place.file);
	struct gate_question *from = ask_about(trap, GATE_LINK, &trap->place, false);
	if (!is_settled(from))
		return from;
	struct gate_question *new = ask_about(trap, GATE_CREATE, &trap->place2, true);
	return new ? new : from;
}

static struct gate_question *judge(struct gate_trap *trap)
{
	struct gate_place *place = &trap->place;
	switch (trap->call->verb) {
	case GATE_WRITE:
		if (gate_reaches_memory(trap))
			return gate_ask((pid_t)trap->notice->pid, GATE_TRACE, place->shown);
		return place->exists && !is_nameless(trap) ? ask_about(trap, GATE_WRITE, place, false) : ask_about(trap, GATE_CREATE, place, true);
	case GATE_MOVE:
		return judge_move(trap);
	case GATE_CREATE: /* an empty folder starts nothing; shells make theirs when they first start */
		return trap->call->is_mkdir ? NULL : ask_about(trap, GATE_CREATE, place, true);
	case GATE_LINK:
		return judge_link(trap);
	case GATE_CONNECT:
	case GATE_SIGNAL:
	case GATE_TRACE:
		return gate_reaches_out(trap) ? gate_ask((pid_t)trap->notice->pid, trap->call->verb, place->shown) : NULL;
	default:
		return ask_about(trap, trap->call->verb, place, false);
	}
}

struct gate_question *gate_judge(struct gate_trap *trap)
{
	struct gate_question *asked = judge(trap);
	if (asked || !gate_state->asks || gate_keep(trap))
		return asked;
	return gate_ask((pid_t)trap->notice->pid, trap->call->verb, trap->place.shown);
}

/* A slash is behind its name, and something else than a folder is there. */
static bool is_no_folder(const struct gate_place *place) { return place->exists && place->ends_with_slash && !S_ISDIR(place->mode); }

static int known_end_of_truncate(const struct gate_place *place)
{
	if (!place->exists)
		return ENOENT;
	return S_ISREG(place->mode) ? 0 : S_ISDIR(place->mode) ? EISDIR : EINVAL;
}

/* The end of a call that opens an existing file for writing. A device or a pipe is left to the kernel. */
static int known_end_of_writing(mode_t mode, uint64_t flags)
{
	if (flags & O_DIRECTORY && !S_ISDIR(mode))
		return ENOTDIR;
	switch (mode & S_IFMT) {
	case S_IFLNK:
		return ELOOP;
	case S_IFDIR:
		return EISDIR;
	case S_IFSOCK:
		return ENXIO;
	default:
		return 0;
	}
}

static int known_end_of_opening(const struct gate_place *place, uint64_t flags)
{
	if (flags & O_PATH)
		return -1;
	if ((flags & O_TMPFILE) == O_TMPFILE)
		return 0;
	if (flags & O_CREAT && place->ends_with_slash)
		return EISDIR;
	if (!place->exists)
		return flags & O_CREAT ? 0 : ENOENT;
	if (flags & O_CREAT && flags & O_EXCL)
		return EEXIST;
	return flags & (WRITING | O_TRUNC) ? known_end_of_writing(place->mode, flags) : -1;
}

/* Its last component is `.`, `..` or the root: no call deletes or moves these. */
static int known_end_without_name(const struct gate_trap *trap)
{
	if (trap->call->verb == GATE_MOVE)
		return *trap->place.name && gate_trap_replaces_nothing(trap) ? EEXIST : EBUSY;
	if (!gate_trap_removes_folder(trap))
		return EISDIR;
	size_t length = strlen(trap->path);
	while (length > 0 && trap->path[length - 1] == '/')
		length--;
	if (length == 0)
		return EBUSY;
	return length > 1 && trap->path[length - 2] == '.' ? ENOTEMPTY : EINVAL;
}

static int known_end_of_move(const struct gate_trap *trap)
{
	const struct gate_place *from = &trap->place, *to = &trap->place2;
	bool is_folder = S_ISDIR(from->mode);
	bool is_exchange = gate_trap_exchanges(trap);
	if (!from->exists || (is_exchange && !to->exists))
		return ENOENT;
	if (to->exists && gate_trap_replaces_nothing(trap))
		return EEXIST;
	return is_no_folder(from) || is_no_folder(to) || (to->ends_with_slash && !is_folder && !is_exchange) ? ENOTDIR : 0;
}

int gate_known_end(const struct gate_trap *trap)
{
	const struct gate_place *place = &trap->place;
	bool is_about_names = trap->call->verb == GATE_DELETE || trap->call->verb == GATE_MOVE;
	if (is_about_names && (!*place->name || (trap->call->path2 >= 0 && !*trap->place2.name)))
		return known_end_without_name(trap);
	switch (trap->call->verb) {
	case GATE_WRITE:
		return gate_trap_truncates(trap) ? known_end_of_truncate(place) : known_end_of_opening(place, trap->how.flags);
	case GATE_CREATE:
		return place->exists ? EEXIST : place->ends_with_slash && !trap->call->is_mkdir ? ENOENT : 0;
	case GATE_LINK:
		return !place->exists ? ENOENT : trap->place2.exists ? EEXIST : trap->place2.ends_with_slash ? ENOENT : 0;
	case GATE_DELETE:
		return !place->exists ? ENOENT : is_no_folder(place) ? ENOTDIR : 0;
	case GATE_MOVE:
		return known_end_of_move(trap);
	case GATE_CONNECT:
	case GATE_SIGNAL:
	case GATE_TRACE:
		return 0;
	default:
		return place->exists ? 0 : ENOENT;
	}
}
