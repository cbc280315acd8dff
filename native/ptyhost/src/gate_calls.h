/* The system calls that the gate knows, and what each is about. */
#ifndef PTYHOST_GATE_CALLS_H
#define PTYHOST_GATE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gate_verb {
	GATE_DELETE,
	GATE_MOVE,
	GATE_WRITE,
	GATE_CREATE,
	GATE_MODE,
	GATE_LINK,
	GATE_MOUNT,
	GATE_CONNECT, /* this one and the next two are about processes: gate_reach.h */
	GATE_SIGNAL,
	GATE_TRACE,
	GATE_HIDDEN, /* of any call whose program closes its memory to others */
	GATE_URING,
	GATE_IDENTITY, /* the mask and the namespaces of a process */
	GATE_RESTRICT,
	GATE_BIND, /* makes the file of a socket */
};

/* The word for a verb in messages. */
const char *gate_verb_word(enum gate_verb);

enum {
	NO_ARGUMENT = -1,
	OPENED_FILE = -2, /* in place of a path: the descriptor itself */
	OPEN_HOW = -3,    /* in place of flags: struct open_how at the argument after the path */
};

/* How the filter chooses: every such call, or those with a bit of `bits` in `argument`, or those whose argument is one of `values`. */
struct gate_condition {
	signed char argument;
	uint32_t bits;
	uint32_t values[4];
};

/* The places of the paths among a call's arguments; a descriptor of NO_ARGUMENT is the working folder. */
struct gate_call {
	int number;
	const char *name;
	enum gate_verb verb;
	signed char folder, path;   /* of the file that the call is about */
	signed char folder2, path2; /* of the second one: where a file is moved or linked to */
	signed char flags;          /* the argument with the flags of an opening call, or NO_ARGUMENT */
	bool follows;               /* a symbolic link at the end of the path */
	signed char at_flags;       /* the argument with AT_ flags, or NO_ARGUMENT */
	struct gate_condition condition;
	/* How it is performed, where that does not follow from the above. */
	enum { CHANGE_NONE, CHANGE_MODE, CHANGE_OWNER, CHANGE_ATTRIBUTE, CHANGE_FLAGS, CHANGE_NEWER /* has an older call that does the same */ } change;
	bool is_rmdir, is_creat, is_symlink, is_mkdir, is_remove;
};

extern const struct gate_call gate_calls[];
extern const size_t gate_call_count;

/* NULL for a number that the filter does not pass on. */
const struct gate_call *gate_call_find(int number);

#endif
