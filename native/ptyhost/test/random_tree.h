/* Random trees of files, and random paths in them. */
#ifndef PTYHOST_TEST_RANDOM_TREE_H
#define PTYHOST_TEST_RANDOM_TREE_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	ENTRIES_MAX = 160,
	TEXT_BYTES = 3 * PATH_MAX,
	FOLDER_FD = 90, FILE_FD = 91, PIPE_FD = 92, CLOSED_FD = 93, /* descriptors of the process that uses the paths */
};

/* Which process resolves, and which one makes the call: root, or an ordinary user. */
enum users { AS_IT_IS, ROOT_FOR_USER, USER_FOR_USER, USER_KINDS };

struct tree {
	char path[PATH_MAX];
	char entries[ENTRIES_MAX][PATH_MAX]; /* relative to its top */
	size_t entry_count;
	enum users users;
	bool is_root_of_process; /* the process has changed its root to it */
	bool is_deep;            /* no call takes the path of its top */
	int top;                 /* a descriptor */
};
extern struct tree tree;

struct text {
	char bytes[TEXT_BYTES];
	size_t length;
};

void make_tree(void);
void remove_tree(void);
void make_path(struct text *);

#endif
