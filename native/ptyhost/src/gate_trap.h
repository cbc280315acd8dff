/* A trapped call with what it is about, and how it is performed in place of the kernel. */
#ifndef PTYHOST_GATE_TRAP_H
#define PTYHOST_GATE_TRAP_H

#include "gate_calls.h"
#include "gate_paths.h"

#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

struct gate_trap {
	const struct seccomp_notif *notice;
	const struct gate_call *call;
	struct gate_place place, place2;
	struct open_how how; /* of an opening call, whichever it is */
	char path[PATH_MAX], path2[PATH_MAX];
};

/* Reads the arguments and resolves the places. Returns 0 or the errno that the call gets; is_unread: memory of the program could not be read. */
int gate_trap_resolve(struct gate_trap *, const struct seccomp_notif *, bool *is_unread);
void gate_trap_close(struct gate_trap *);
/* A move that exchanges two files: none of them goes away. */
bool gate_trap_exchanges(const struct gate_trap *);
/* A call that changes the size of a file by its path. */
bool gate_trap_truncates(const struct gate_trap *);
/* A move that fails where something is at the new name. */
bool gate_trap_replaces_nothing(const struct gate_trap *);
/* A deletion that is for folders alone. */
bool gate_trap_removes_folder(const struct gate_trap *);

struct gate_result {
	int32_t problem;
	int64_t value;
	int fd;              /* to be given to the program in place of the value; -1 without */
	bool is_close_on_exec;
	bool is_replacement; /* `fd` takes the place of this descriptor of the program, and the call returns 0 */
	int replaced;
};

/* True for a call that the supervisor performs as well as the kernel would: the others go on. */
bool gate_can_perform(const struct gate_trap *);
/* Performs the call on the resolved places. */
struct gate_result gate_perform(struct gate_trap *);

#endif
