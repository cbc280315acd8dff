/*
 * The table of the gate against a naive second reading of it: random tables with broken lines, and random effects.
 *
 *   table_oracle [SEED [CASES]]
 *
 * No table may end the process, the longest row that contains a place decides, and of two rows for the same place the later one. Prints TAP, and
 * each disagreement with its seed.
 */
#include "gate_mounts.h"
#include "gate_table.h"
#include "random.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	CASES = 100000,
	CASES_OF_TABLE = 400,
	ROWS_MAX = 512,          /* as the gate */
	LINE_MAX_BYTES = 2 * PATH_MAX,
	TABLE_BYTES = 1 << 20,
	REPORTED_MAX = 10,
};

#define OTHER_DEVICE (UINT64_MAX - 1)

static char root[PATH_MAX];
static struct gate_spot root_spot;

/* ---- random tables ---- */

static char table[TABLE_BYTES];
static size_t table_length;

static void add(const char *text)
{
	size_t length = strlen(text);
	must(table_length + length < sizeof table, "a table with room");
	memcpy(table + table_length, text, length + 1);
	table_length += length;
}

static const char *some_name(void)
{
	static const char *const names[] = {"a", "b", "c", "a.b", "ab", "link", "file", "none", "\xff\xfe", "x y", "..", "."};
	return names[below(chance(70) ? 8 : sizeof names / sizeof *names)];
}

static void add_path(void)
{
	static const char *const outside[] = {"/", "/tmp", "/usr", "/none", "//tmp", "/tmp/../tmp/.", "/proc/self", "/dev/null"};
	if (chance(10)) {
		add(outside[below(sizeof outside / sizeof *outside)]);
	} else {
		add(root);
		for (size_t parts = below(5); parts > 0; parts--) {
			add(chance(95) ? "/" : "//");
			add(some_name());
		}
	}
	if (chance(5))
		add(chance(80) ? "/" : "///");
	if (chance(12))
		add("*");
	/* Longer than a path, and about as long as a line that is read. */
	if (chance(1))
		for (size_t length = below(2) ? PATH_MAX : below(2 * PATH_MAX); length > 0; length -= length > 4 ? 4 : length)
			add(chance(2) ? "\nfre" : chance(50) ? "/aaa" : "aaaa");
}

static void add_line(void)
{
	static const char *const words[] = {"free", "kept", "elsewhere", "guarded", "whole"};
	static const char *const broken[] = {"", "fre", "freee", "FREE", "free ", " free", "asks 100", "keeps 1", "unkept a", "\t", "free\t"};
	size_t kind = below(100);
	if (kind < 85)
		add(words[below(5)]);
	else
		add(broken[below(sizeof broken / sizeof *broken)]);
	if (kind != 99)
		add(chance(97) ? " " : "  ");
	if (kind < 97)
		add_path();
	else
		add("relative/path");
	if (chance(99))
		add("\n");
}

static void read_table(void)
{
	int fd = memfd_create("table", 0);
	must(fd >= 0 && write(fd, table, table_length) == (ssize_t)table_length && lseek(fd, 0, SEEK_SET) == 0, "memfd");
	gate_table_read(fd);
}

/* ---- the naive reading ---- */

static struct naive {
	enum gate_area area;
	bool is_beginning, is_on_disk; /* on the file system of the test */
	char path[PATH_MAX];           /* absolute */
} naive[ROWS_MAX];
static size_t naive_count;

/* Resolves what is there of a path; what is not there has no upward step. */
static bool resolve(const char *path, char *resolved)
{
	static char copy[PATH_MAX], next[2 * PATH_MAX], real[PATH_MAX];
	snprintf(copy, sizeof copy, "%s", path);
	snprintf(resolved, PATH_MAX, "/");
	bool is_missing = false;
	for (char *part = strtok(copy, "/"); part; part = strtok(NULL, "/")) {
		snprintf(next, sizeof next, "%s/%s", strcmp(resolved, "/") ? resolved : "", part);
		is_missing = is_missing || !realpath(next, real);
		if (is_missing && strcmp(part, ".") == 0)
			continue;
		if (is_missing && strcmp(part, "..") == 0)
			return false;
		if (strlen(next) >= PATH_MAX)
			return false;
		const char *found = is_missing ? next : real;
		memcpy(resolved, found, strlen(found) + 1);
	}
	return true;
}

static bool is_on_disk(const char *path)
{
	struct gate_spot spot;
	return gate_spot_of(path, &spot) && spot.device == root_spot.device;
}

static void add_naive(enum gate_area area, const char *path, const char *name)
{
	struct naive *row = &naive[naive_count];
	if (naive_count == ROWS_MAX || !resolve(path, row->path))
		return;
	size_t end = strlen(row->path);
	row->is_on_disk = is_on_disk(row->path);
	if (name && end + strlen(name) + 2 > sizeof row->path)
		return;
	if (name)
		snprintf(row->path + end, sizeof row->path - end, "%s%s", end > 1 ? "/" : "", name);
	row->area = area;
	row->is_beginning = name != NULL;
	naive_count++;
}

/* All names that begin so: the folder is resolved, the name is not. */
static void add_naive_beginning(enum gate_area area, const char *path)
{
	char folder[PATH_MAX];
	struct stat seen;
	const char *name = strrchr(path, '/') + 1;
	snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
	if (strcmp(name, "..") != 0 && strcmp(name, ".") != 0)
		add_naive(area, folder, name);
	if (lstat(path, &seen) == 0 && S_ISLNK(seen.st_mode))
		add_naive(area, path, NULL);
}

static void read_naive(void)
{
	static const char *const words[] = {"free ", "kept ", "elsewhere ", "guarded ", "whole "};
	char line[LINE_MAX_BYTES + 1];
	naive_count = 0;
	for (const char *at = table, *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "\n");
		if (end - at >= LINE_MAX_BYTES)
			continue;
		snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
		for (int area = 0; area < 5; area++) {
			size_t length = strlen(words[area]);
			char *path = line + length;
			if (strncmp(line, words[area], length) != 0 || *path != '/' || strlen(path) >= PATH_MAX)
				continue;
			if (path[strlen(path) - 1] == '*') {
				path[strlen(path) - 1] = 0;
				add_naive_beginning((enum gate_area)area, path);
			} else {
				add_naive((enum gate_area)area, path, NULL);
			}
		}
	}
}

static bool is_in(const char *path, const char *folder)
{
	char with_slash[PATH_MAX + 1];
	if (strcmp(folder, "/") == 0 || strcmp(path, folder) == 0)
		return true;
	int length = snprintf(with_slash, sizeof with_slash, "%s/", folder);
	return strncmp(path, with_slash, (size_t)length) == 0;
}

static enum gate_area naive_area(const char *path)
{
	enum gate_area area = GATE_ELSEWHERE;
	size_t longest = 0;
	for (const struct naive *row = naive; row < naive + naive_count; row++) {
		bool holds = row->is_beginning ? strncmp(path, row->path, strlen(row->path)) == 0 : is_in(path, row->path);
		if (row->area == GATE_WHOLE || !holds || strlen(row->path) < longest || !row->is_on_disk)
			continue;
		longest = strlen(row->path);
		area = row->area;
	}
	return area;
}

static bool naive_holds_whole(const char *path)
{
	for (const struct naive *row = naive; row < naive + naive_count; row++)
		if (row->area == GATE_WHOLE && is_in(row->path, path) && row->is_on_disk)
			return true;
	return false;
}

static bool naive_holds_guarded(const char *path)
{
	for (const struct naive *row = naive; row < naive + naive_count; row++)
		if (row->area == GATE_GUARDED && strcmp(row->path, path) != 0 && is_in(row->path, path) && row->is_on_disk)
			return true;
	return false;
}

/* The table of docs/effects.md, row by row. */
static bool naive_asks(const struct gate_effect *effect, const char *path)
{
	const struct gate_place *place = effect->place;
	bool takes_away = effect->verb == GATE_DELETE || effect->verb == GATE_MOVE;
	if (effect->verb == GATE_MOUNT)
		return true;
	if (place->spot.device == 0 || place->spot.is_proc || effect->is_made)
		return false;
	if (effect->verb == GATE_WRITE && place->exists && !S_ISREG(place->mode))
		return false;
	if (effect->is_linked && (effect->verb == GATE_WRITE || effect->verb == GATE_MODE))
		return true;
	if (takes_away && naive_holds_whole(path))
		return true;
	if ((takes_away || effect->verb == GATE_MODE) && naive_holds_guarded(path))
		return true;
	switch (naive_area(path)) {
	case GATE_GUARDED:
		return true;
	case GATE_ELSEWHERE:
		return effect->verb != GATE_LINK && !effect->is_new;
	default:
		return false;
	}
}

/* ---- comparing ---- */

static unsigned disagreements;

/* A place below the folder of the test, or above it, that need not be there. */
static void some_place(char *path, struct gate_place *place)
{
	static const mode_t modes[] = {S_IFREG | 0644, S_IFDIR | 0755, S_IFIFO | 0600, S_IFLNK | 0777};
	size_t end = (size_t)snprintf(path, PATH_MAX, "%s", root);
	place->spot = root_spot;
	if (chance(10)) {
		path[strrchr(path + 1, '/') ? strrchr(path + 1, '/') - path : 1] = 0;
		must(gate_spot_of(path, &place->spot), "a spot");
		end = strlen(path);
	}
	for (size_t parts = below(5); parts > 0; parts--) {
		const char *name = some_name();
		end += (size_t)snprintf(path + end, PATH_MAX - end, "/%s", name);
		gate_mounts_append(place->spot.path, name);
	}
	if (chance(2))
		place->spot.device = chance(50) ? 0 : OTHER_DEVICE;
	place->spot.is_proc = chance(1);
	place->exists = chance(70);
	place->mode = modes[below(sizeof modes / sizeof *modes)];
}

static void try_effect(uint64_t seed)
{
	static struct gate_place place;
	static char path[PATH_MAX];
	some_place(path, &place);
	/* Another file system has no row of these tables. */
	if (place.spot.device == OTHER_DEVICE)
		snprintf(path, sizeof path, "/proc/none");
	const struct gate_effect effect = {
		.verb = (enum gate_verb)below(GATE_MOUNT + 1), .place = &place, .is_new = !place.exists, .is_made = chance(10), .is_linked = chance(10),
	};
	size_t before = naive_count;
	if (place.spot.device == OTHER_DEVICE)
		naive_count = 0;
	bool is_known = place.spot.device != 0 && !place.spot.is_proc;
	bool asks = naive_asks(&effect, path), is_kept = is_known && naive_area(path) == GATE_KEPT;
	bool is_free = !is_known || (naive_area(path) <= GATE_KEPT && !naive_holds_whole(path) && !naive_holds_guarded(path));
	naive_count = before;
	if (gate_asks(&effect) == asks && gate_is_free(&place) == is_free && gate_is_kept(&place) == is_kept)
		return;
	if (++disagreements <= REPORTED_MAX)
		printf("# seed %llu: %s %s: asks %d, not %d; free %d, not %d; kept %d, not %d\n", (unsigned long long)seed, gate_verb_word(effect.verb), path,
		       gate_asks(&effect), asks, gate_is_free(&place), is_free, gate_is_kept(&place), is_kept);
}

static void try_table(uint64_t seed, size_t cases)
{
	random_start(seed);
	table_length = 0;
	add("");
	for (size_t lines = chance(5) ? ROWS_MAX + below(ROWS_MAX) : below(30); lines > 0; lines--)
		add_line();
	read_table();
	read_naive();
	for (size_t i = 0; i < cases; i++)
		try_effect(seed);
}

int main(int count, char **arguments)
{
	uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
	size_t cases = count > 2 ? strtoull(arguments[2], NULL, 10) : CASES;
	char folder[] = "/tmp/ptyhost-table-XXXXXX", command[2 * PATH_MAX];
	must(mkdtemp(folder) && realpath(folder, root) && gate_spot_of(root, &root_spot), "a folder");
	snprintf(command, sizeof command, "cd %s && mkdir -p a/b/c b/a 'x y' && touch file a/file b/file && ln -s a/b link && ln -s ../b a/link && ln -s none b/link && ln -s link a/ab", root);
	must(system(command) == 0, "files");
	for (size_t done = 0; done < cases; done += CASES_OF_TABLE)
		try_table(seed++, CASES_OF_TABLE < cases - done ? CASES_OF_TABLE : cases - done);
	snprintf(command, sizeof command, "rm -rf %s", root);
	must(system(command) == 0, command);
	printf("%sok 1 - the longest row of a table decides, whatever its lines are\n1..1\n", disagreements ? "not " : "");
	return disagreements > 0;
}
