/* The few calls, apart from the loop and the facts, that differ between systems. */
#ifndef PTYHOST_SYSTEM_H
#define PTYHOST_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* To be called first, before the working folder changes. What this process starts, and what that leaves behind, then
 * belongs to it where the system can do that; it is listed under this name, likewise. */
void system_init(const char *name);
/* Whether processes whose parent has ended become children of the nearest ancestor that called the above, rather than
 * of init. */
extern const bool system_adopts_orphans;
/* The program that this process runs, for starting it again. */
const char *system_program(void);
/* Adds those processes of a session that are not below its keeper any more, where the system lets them get away. */
size_t system_add_strays(pid_t session, pid_t *found, size_t count, size_t max);

/* The other end of a socket runs as the same user as we. */
bool system_is_same_user(int socket);
/* The process that has connected to this end of a socket; 0 where the system does not say. */
pid_t system_peer(int socket);
/* Our side of a new terminal of another set of them, such as a container's: its programs find theirs there by name. -1 with errno. */
int system_open_master(const char *ptmx);
/* The program's side of a terminal, from ours: closed on exec, and not our controlling terminal. -1 with errno. */
int system_open_slave(int master);
/* Bytes of input that the program has not taken, of whole lines where the terminal edits them; 0 without a terminal. */
unsigned system_unread(int slave);

/* A new descriptor is not to reach the programs that are started. Passes -1 on. */
int fd_kept(int fd);
int fd_nonblocking(int fd);
bool fd_pair_kept(int result, const int pair[2]);
/* Closes a descriptor, where it is one, and makes it none (-1). */
void fd_close(int *fd);

/* Closes all descriptors from `first` on. */
void fd_close_from(int first);
/* The same by a folder in which the system lists them, where no call closes a range. */
void fd_close_listed(const char *folder, int first);
/* What every process is started with: standard input, output and error. */
enum { STANDARD_DESCRIPTORS = 3 };

/* Nothing blocked, and each signal does what it does by itself: a program is started so. */
void signals_reset(void);

#endif
