/* Arguments that the kernel refuses whatever the path is: the call then fails before it is judged, and is not performed without them. */
#ifndef PTYHOST_GATE_ARGUMENTS_H
#define PTYHOST_GATE_ARGUMENTS_H

#include "gate_calls.h"

#include <linux/limits.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/types.h>

/* The errno of such a call, or 0. */
int gate_wrong_arguments(const struct seccomp_notif *);

/* Reads the structure of openat2 at an address of the program. Returns 0, or the errno of the call. Memory that cannot be read is EPERM. */
int gate_read_open_how(pid_t thread, uint64_t at, uint64_t size, struct open_how *);

/* Reads the path of a socket from the address that a call names, with a zero behind it. False for an address without a path, or one that cannot be read. */
bool gate_read_socket_path(const struct seccomp_notif *, char path[PATH_MAX]);

#endif
