#include "random_tree.h"

#include "random.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	DEPTH_MAX = 4,
	CHAIN = 44,        /* links that lead to each other: the kernel follows 40 */
	DEEP_FOLDERS = 18, /* of 255 bytes each */
	OTHER_USER = 1234,
};

struct tree tree;

/* ---- random text ---- */

static void append(struct text *text, const char *part)
{
	size_t length = strlen(part);
	if (text->length + length >= sizeof text->bytes)
		return;
	memcpy(text->bytes + text->length, part, length + 1);
	text->length += length;
}

static void append_repeated(struct text *text, const char *part, size_t count)
{
	for (size_t i = 0; i < count; i++)
		append(text, part);
}

static void append_name(struct text *text)
{
	static const char *const names[] = {"a", "b", "c", "dd", ".hidden", "...", "\xff\xfe", "\xc3\xbc", " ", "\n", "x (deleted)", "\\040", "self", "fd", "new"};
	char chained[16];
	size_t kind = below(100);
	if (kind < 88) {
		append(text, names[below(chance(60) ? 4 : sizeof names / sizeof *names)]);
	} else if (kind < 94) {
		snprintf(chained, sizeof chained, "chain%zu", below(CHAIN));
		append(text, chained);
	} else {
		append_repeated(text, "n", kind < 97 ? NAME_MAX : NAME_MAX - 1 + below(4));
	}
}

static void append_start(struct text *text)
{
	char start[PATH_MAX + 32];
	static const int descriptors[] = {FOLDER_FD, FILE_FD, PIPE_FD, CLOSED_FD};
	const char *top = tree.is_root_of_process || tree.is_deep ? "" : tree.path;
	size_t kind = below(100);
	*start = 0;
	if (kind < 15)
		snprintf(start, sizeof start, "%s/", top);
	else if (kind < 20)
		snprintf(start, sizeof start, "/proc/%sself/%s/", kind < 17 ? "thread-" : "", chance(50) ? "cwd" : "cwd/.");
	else if (kind < 26)
		snprintf(start, sizeof start, "/%s/%d%s", chance(50) ? "proc/self/fd" : "dev/fd", descriptors[below(4)], chance(70) ? "/" : "");
	else if (kind < 28)
		snprintf(start, sizeof start, "/proc/self/root%s/", top);
	else if (kind < 30)
		snprintf(start, sizeof start, "/proc/%s", chance(50) ? "self/../self" : "mounts");
	append(text, start);
}

/* A path of the tree, changed in some places. */
static void append_parts(struct text *text)
{
	char chained[32];
	if (chance(4)) {
		snprintf(chained, sizeof chained, "chain%zu", CHAIN - 1 - below(8));
		append(text, chained);
		return;
	}
	if (tree.entry_count && chance(80)) {
		append(text, tree.entries[below(tree.entry_count)]);
		if (chance(60))
			return;
		append(text, "/");
	}
	for (size_t parts = below(5); parts > 0; parts--) {
		size_t kind = below(100);
		if (kind < 60)
			append_name(text);
		else
			append(text, kind < 80 ? ".." : ".");
		if (parts > 1)
			append(text, chance(85) ? "/" : "///");
	}
}

void make_path(struct text *text)
{
	static struct text end;
	*text->bytes = *end.bytes = 0;
	text->length = end.length = 0;
	append_start(text);
	append_parts(&end);
	if (chance(15))
		append(&end, chance(80) ? "/" : "//");
	/* About as long as a path may be. */
	if (chance(4) && text->length + end.length + 8 < PATH_MAX) {
		size_t missing = PATH_MAX - 4 + below(6) - text->length - end.length;
		append_repeated(text, text->length && chance(50) ? "/" : "./", missing / 2);
		if (missing % 2 && *end.bytes)
			append(&end, "/");
	}
	append(text, end.bytes);
	if (chance(1))
		text->length = *text->bytes = 0;
}

/* ---- random trees ---- */

static void make_link(int folder, const char *name)
{
	static struct text target;
	make_path(&target);
	if (chance(10)) {
		target.length = 0;
		append(&target, name);
	}
	/* An empty target and one that is too long fail here, and there is no such link then. */
	if (symlinkat(target.bytes, folder, name) == 0 && geteuid() == 0 && chance(30))
		must(fchownat(folder, name, OTHER_USER, OTHER_USER, AT_SYMLINK_NOFOLLOW) == 0, "lchown");
}

static void fill_folder(int folder, const char *path, int depth)
{
	static struct text name;
	for (size_t count = 3 + below(4); count > 0 && tree.entry_count < ENTRIES_MAX; count--) {
		char *entry = tree.entries[tree.entry_count];
		name.length = 0;
		append_name(&name);
		if (snprintf(entry, PATH_MAX, "%s%s%s", path, *path ? "/" : "", name.bytes) >= PATH_MAX)
			continue;
		size_t kind = below(100);
		if (kind < 40 && depth < DEPTH_MAX && mkdirat(folder, name.bytes, 0755) == 0) {
			int inner = openat(folder, name.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
			tree.entry_count++;
			fill_folder(inner, entry, depth + 1);
			/* A folder in which all may make files, and folders that an ordinary user cannot search. */
			static const mode_t modes[] = {01777, 0777, 0600, 0, 0300};
			fchmod(inner, chance(85) ? 0777 : modes[below(sizeof modes / sizeof *modes)]);
			close(inner);
		} else if (kind < 55) {
			close(openat(folder, name.bytes, O_CREAT | O_WRONLY | O_EXCL | O_CLOEXEC, 0666));
			tree.entry_count++;
		} else if (kind < 60) {
			mkfifoat(folder, name.bytes, 0666);
			tree.entry_count++;
		} else {
			make_link(folder, name.bytes);
			tree.entry_count++;
		}
	}
}

static void make_chain(int folder)
{
	char name[32], target[32] = "a";
	for (int i = 0; i < CHAIN; i++) {
		snprintf(name, sizeof name, "chain%d", i);
		symlinkat(target, folder, name);
		memcpy(target, name, sizeof name);
	}
}

/* Goes to a folder whose path no call takes. */
static int make_deep(int folder)
{
	char name[NAME_MAX + 1];
	memset(name, 'n', NAME_MAX);
	name[NAME_MAX] = 0;
	for (int i = 0; i < DEEP_FOLDERS; i++) {
		must(mkdirat(folder, name, 0777) == 0 && fchmodat(folder, name, 0777, 0) == 0, "mkdir");
		int next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		must(next >= 0, "open");
		close(folder);
		folder = next;
	}
	return folder;
}

void make_tree(void)
{
	snprintf(tree.path, sizeof tree.path, "/tmp/ptyhost-paths-XXXXXX");
	must(mkdtemp(tree.path) && chmod(tree.path, 0777) == 0, "a folder");
	tree.entry_count = 0;
	bool is_root = geteuid() == 0;
	tree.users = is_root ? (enum users)below(USER_KINDS) : AS_IT_IS;
	tree.is_deep = chance(15);
	tree.is_root_of_process = is_root && !tree.is_deep && chance(20);
	tree.top = open(tree.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (tree.is_deep)
		tree.top = make_deep(tree.top);
	fill_folder(tree.top, "", 0);
	make_chain(tree.top);
}

void remove_tree(void)
{
	char command[2 * PATH_MAX + 64];
	close(tree.top);
	snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", tree.path, tree.path);
	must(system(command) == 0, command);
}
