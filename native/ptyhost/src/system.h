/* The few calls, apart from the loop and the facts, that differ between systems. */
#ifndef PTYHOST_SYSTEM_H
#define PTYHOST_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* To be called first, before the working folder changes. Processes that this process starts, and their orphans, then
 * belong to it if the system supports that. It is listed under this name, likewise. */
void system_init(const char *name);
/* Whether processes whose parent has ended become children of the nearest ancestor that called the above, rather than
 * of init. */
extern const bool system_adopts_orphans;
/* The program that this process runs, for starting it again. */
const char *system_program(void);
/* Adds the processes of a session that are no longer below its keeper, if the system lets them escape. */
size_t system_add_strays(pid_t session, pid_t *found, size_t count, size_t max);

/* True if the peer of a socket runs as the same user. */
bool system_is_same_user(int socket);
/* The process that has connected to this end of a socket; 0 if the system does not report it. */
pid_t system_peer(int socket);
/* Opens our side of a new terminal in another instance of devpts, such as a container's. Its programs find theirs there by name. -1 with errno. */
int system_open_master(const char *ptmx);
/* The program's side of a terminal, from ours: closed on exec, and not our controlling terminal. -1 with errno. */
int system_open_slave(int master);
/* Bytes of input that the program has not taken, in whole lines if the terminal edits them; 0 without a terminal. */
unsigned system_unread(int slave);

/* Marks a new descriptor as not inherited by programs. Passes -1 on. */
int fd_kept(int fd);
int fd_nonblocking(int fd);
bool fd_pair_kept(int result, const int pair[2]);
/* Closes a descriptor, if it is open, and sets it to -1. */
void fd_close(int *fd);

/* Closes all descriptors from `first` on. */
void fd_close_from(int first);
/* The same with a folder in which the system lists descriptors, if no call closes a range. */
void fd_close_listed(const char *folder, int first);
/* The descriptors of every started process: standard input, output and error. */
enum { STANDARD_DESCRIPTORS = 3 };

/* Unblocks all signals and resets their handlers, as a program expects at its start. */
void signals_reset(void);

#endif
