/* Resolves the paths of a trapped call as the kernel would for its process, without following what that process can change meanwhile. */
#ifndef PTYHOST_GATE_PATHS_H
#define PTYHOST_GATE_PATHS_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The same file has the same numbers under each of its names, and a later file with its number another birth. */
struct gate_file {
	uint64_t device, number;
	int64_t born_s;
	uint32_t born_ns;
	bool has_birth; /* not every file system keeps it */
};

/* A place in a file system, the same whichever mount leads to it. */
struct gate_spot {
	uint64_t device;     /* 0 when no file system with a path has it: a pipe, a socket, a deleted file */
	bool is_proc;        /* in a file system of the kernel's own processes */
	bool is_inner;       /* in a file system that only its program sees */
	bool is_cut;         /* the path is too long: `/…` in place of its end */
	char path[PATH_MAX]; /* from the root of that file system */
};

struct gate_place {
	int folder;              /* an O_PATH descriptor, or -1 for a file that is known by a descriptor alone */
	char name[NAME_MAX + 1]; /* in that folder; empty for the folder itself */
	bool ends_with_slash;    /* its path does: what is there must be a folder */
	bool exists;
	mode_t mode;             /* of what is there */
	uint32_t links;
	uint64_t size;           /* bytes */
	struct gate_file file;
	struct gate_spot spot;
	char shown[PATH_MAX];    /* as a person knows it */
};

struct gate_caller {
	pid_t thread;
	int folder; /* a descriptor of the process, or AT_FDCWD */
};

/* How a call takes a symbolic link at the end of its path. */
enum gate_end {
	END_FOLLOWED,
	END_LINK,  /* it is about the link, unless a slash is behind it */
	END_NAME, /* it is about the name: deleted, moved or made. Not even with a slash is a link followed */
};

/* Returns 0, or the errno that the call would have. After 0, gate_place_close. */
int gate_resolve(const struct gate_caller *, const char *path, enum gate_end, struct gate_place *);
/* The same under the restrictions of openat2, which the kernel keeps. */
int gate_resolve_restricted(const struct gate_caller *, const char *path, enum gate_end, uint64_t restrictions, struct gate_place *);
/* The file of one of the process's descriptors. */
int gate_resolve_opened(const struct gate_caller *, struct gate_place *);
void gate_place_close(struct gate_place *);

/*
 * Behind walls a program sees a folder by a mount that is read-only: takes the same folder as a person finds it. It stays as it is where a person does
 * not find it.
 */
void gate_place_go_outside(struct gate_place *);
/* Looks at the file again that a place names. False when nothing is there. */
bool gate_place_look(const struct gate_place *, struct gate_file *);

#endif
