#include "gate_table.h"

#include "gate_mounts.h"
#include "gate_state.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS_MAX = 512 };

static struct row {
	enum gate_area area;
	struct gate_spot spot;
	size_t length;
	bool is_beginning; /* all names that begin so */
} rows[ROWS_MAX];
static size_t row_count;

static const struct {
	const char *word;
	enum gate_area area;
} words[] = {
	{"free", GATE_FREE},       {"kept", GATE_KEPT},         {"elsewhere", GATE_ELSEWHERE},
	{"guarded", GATE_GUARDED}, {"whole", GATE_WHOLE},
};

/* All names that begin so: the last component is the beginning of a name, and not a file of that name. */
static bool find_beginning(const char *path, struct gate_spot *spot)
{
	char folder[PATH_MAX];
	const char *name = strrchr(path, '/') + 1;
	snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
	return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && gate_spot_of(folder, spot) && gate_mounts_append(spot->path, name);
}

static void add_row(enum gate_area area, const char *path, bool is_beginning)
{
	if (row_count == ROWS_MAX)
		return;
	struct row *row = &rows[row_count];
	if (!(is_beginning ? find_beginning(path, &row->spot) : gate_spot_of(path, &row->spot)))
		return;
	row->area = area;
	row->length = strlen(row->spot.path);
	row->is_beginning = is_beginning;
	row_count++;
}

static void read_row(char *line)
{
	struct stat seen;
	line[strcspn(line, "\n")] = 0;
	char *path = strchr(line, ' ');
	size_t length = path ? strlen(path + 1) : 0;
	if (!path || path[1] != '/' || length >= PATH_MAX)
		return;
	*path++ = 0;
	bool is_beginning = path[length - 1] == '*';
	if (is_beginning)
		path[length - 1] = 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(words[i].word, line) != 0)
			continue;
		add_row(words[i].area, path, is_beginning);
		/* The file behind a link of that name is one file, and not the beginning of others. */
		if (is_beginning && lstat(path, &seen) == 0 && S_ISLNK(seen.st_mode))
			add_row(words[i].area, path, false);
	}
}

void gate_table_read(int fd)
{
	static char line[PATH_MAX + 32]; /* what is longer has a path that is too long */
	FILE *table = fdopen(fd, "r");
	bool is_beginning = true;
	row_count = 0;
	while (table && fgets(line, sizeof line, table)) {
		bool is_whole = is_beginning;
		is_beginning = strchr(line, '\n') != NULL;
		if (is_whole)
			read_row(line);
	}
	if (table)
		fclose(table);
}

/* ---- the decision ---- */

static bool is_below(const char *path, const char *folder, size_t length)
{
	if (length == 1)
		return true;
	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static bool holds(const struct row *row, const char *path)
{
	return row->is_beginning ? strncmp(path, row->spot.path, row->length) == 0 : is_below(path, row->spot.path, row->length);
}

static const struct row *row_of(const struct gate_spot *spot)
{
	const struct row *longest = NULL;
	for (size_t i = 0; i < row_count; i++) {
		const struct row *row = &rows[i];
		if (row->area == GATE_WHOLE || row->spot.device != spot->device || !holds(row, spot->path))
			continue;
		if (!longest || row->length >= longest->length)
			longest = row;
	}
	return longest;
}

/* It is a whole of the table, or a folder above one. */
static bool holds_whole(const struct gate_spot *spot)
{
	size_t length = strlen(spot->path);
	for (size_t i = 0; i < row_count; i++)
		if (rows[i].area == GATE_WHOLE && rows[i].spot.device == spot->device && is_below(rows[i].spot.path, spot->path, length))
			return true;
	return false;
}

/* A guarded place is below it, and goes or closes with it. */
static bool holds_guarded(const struct gate_spot *spot)
{
	size_t length = strlen(spot->path);
	for (size_t i = 0; i < row_count; i++)
		if (rows[i].area == GATE_GUARDED && rows[i].spot.device == spot->device && rows[i].length > length && is_below(rows[i].spot.path, spot->path, length))
			return true;
	return false;
}

static enum gate_area area_of(const struct gate_spot *spot)
{
	/* Behind walls no program mounts anything: such a file system is the sandbox's own, and ends with it. */
	if (spot->is_inner && gate_state->is_walled)
		return GATE_FREE;
	const struct row *row = row_of(spot);
	return row ? row->area : GATE_ELSEWHERE;
}

bool gate_is_free(const struct gate_place *place)
{
	const struct gate_spot *spot = &place->spot;
	return spot->device == 0 || spot->is_proc || (area_of(spot) <= GATE_KEPT && !holds_whole(spot) && !holds_guarded(spot));
}

bool gate_is_kept(const struct gate_place *place)
{
	const struct gate_spot *spot = &place->spot;
	return spot->device != 0 && !spot->is_proc && area_of(spot) == GATE_KEPT;
}

bool gate_asks(const struct gate_effect *effect)
{
	const struct gate_place *place = effect->place;
	const struct gate_spot *spot = &place->spot;
	if (effect->verb == GATE_MOUNT)
		return true;
	if (spot->device == 0 || spot->is_proc || effect->is_made)
		return false;
	/* Writing to a pipe, a socket or a device changes no file. */
	if (effect->verb == GATE_WRITE && place->exists && !S_ISREG(place->mode))
		return false;
	if (effect->is_linked && (effect->verb == GATE_WRITE || effect->verb == GATE_MODE))
		return true;
	bool takes_away = effect->verb == GATE_DELETE || effect->verb == GATE_MOVE;
	if ((takes_away && holds_whole(spot)) || ((takes_away || effect->verb == GATE_MODE) && holds_guarded(spot)))
		return true;
	enum gate_area area = area_of(spot);
	/* A further name changes nothing. It matters where the file is guarded, for then it could be written to by that name. */
	if (effect->verb == GATE_LINK)
		return area == GATE_GUARDED;
	return area == GATE_GUARDED || (area == GATE_ELSEWHERE && !effect->is_new);
}
