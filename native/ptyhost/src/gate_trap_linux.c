#include "gate_trap.h"

#include "gate_arguments.h"
#include "gate_memory.h"
#include "gate_process.h"
#include "gate_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/syscall.h>

static pid_t thread_of(const struct gate_trap *trap) { return (pid_t)trap->notice->pid; }

static bool read_path(const struct gate_trap *trap, int argument, char *path)
{
	return gate_memory_text(thread_of(trap), trap->notice->data.args[argument], path, PATH_MAX);
}

static struct gate_caller caller_of(const struct gate_trap *trap, int folder_argument)
{
	int folder = folder_argument < 0 ? AT_FDCWD : (int)trap->notice->data.args[folder_argument];
	return (struct gate_caller){.thread = thread_of(trap), .folder = folder};
}

/* Returns 0 or the errno of the call. */
static int read_how(struct gate_trap *trap)
{
	const struct gate_call *call = trap->call;
	const __u64 *arguments = trap->notice->data.args;
	if (call->verb != GATE_WRITE)
		return 0;
	if (call->flags == OPEN_HOW)
		return gate_read_open_how(thread_of(trap), arguments[call->path + 1], arguments[call->path + 2], &trap->how);
	if (call->flags >= 0)
		trap->how = (struct open_how){.flags = (uint32_t)arguments[call->flags], .mode = arguments[call->flags + 1] & 07777};
	else if (call->is_creat)
		trap->how = (struct open_how){.flags = O_WRONLY | O_CREAT | O_TRUNC, .mode = arguments[1] & 07777};
	else
		trap->how.flags = O_WRONLY;
	return 0;
}

/* An errno for memory of the program: it could not be read, where the call itself would read it. */
static int memory_problem(int problem, bool *is_unread)
{
	*is_unread = problem != ENAMETOOLONG && problem != EFAULT;
	return problem ? problem : EFAULT;
}

static bool has_slash(const char *path) { return *path && path[strlen(path) - 1] == '/'; }

static enum gate_end end_of(const struct gate_trap *trap)
{
	const struct gate_call *call = trap->call;
	uint64_t at_flags = call->at_flags >= 0 ? trap->notice->data.args[call->at_flags] : 0;
	uint64_t flags = trap->how.flags;
	if (call->verb == GATE_DELETE || call->verb == GATE_MOVE || call->verb == GATE_CREATE || (flags & O_CREAT && has_slash(trap->path)))
		return END_NAME;
	if (at_flags & AT_SYMLINK_NOFOLLOW || flags & O_NOFOLLOW || (flags & O_CREAT && flags & O_EXCL))
		return END_LINK;
	return call->follows || at_flags & AT_SYMLINK_FOLLOW ? END_FOLLOWED : END_LINK;
}

/* The kernel takes the descriptor in place of an empty path. */
static bool is_about_descriptor(const struct gate_trap *trap)
{
	const struct gate_call *call = trap->call;
	return call->at_flags >= 0 && !*trap->path && trap->notice->data.args[call->at_flags] & AT_EMPTY_PATH;
}

static int resolve_first(struct gate_trap *trap, bool *is_unread)
{
	const struct gate_call *call = trap->call;
	struct gate_caller caller = caller_of(trap, call->folder);
	if (call->path == OPENED_FILE)
		return gate_resolve_opened(&caller, &trap->place);
	int problem = read_how(trap);
	if (problem)
		return problem == EPERM ? memory_problem(problem, is_unread) : problem;
	if (!read_path(trap, call->path, trap->path))
		return memory_problem(errno, is_unread);
	if (is_about_descriptor(trap))
		return gate_resolve_opened(&caller, &trap->place);
	if (trap->how.resolve)
		return gate_resolve_restricted(&caller, trap->path, end_of(trap), trap->how.resolve, &trap->place);
	return gate_resolve(&caller, trap->path, end_of(trap), &trap->place);
}

static int resolve(struct gate_trap *trap, const struct seccomp_notif *notice, bool *is_unread)
{
	*trap = (struct gate_trap){.notice = notice, .call = gate_call_find(notice->data.nr), .place = {.folder = -1}, .place2 = {.folder = -1}};
	*is_unread = false;
	if (!trap->call || trap->call->path == NO_ARGUMENT)
		return 0;
	int problem = gate_wrong_arguments(notice);
	if (!problem)
		problem = resolve_first(trap, is_unread);
	if (problem || trap->call->path2 < 0)
		return problem;
	struct gate_caller caller = caller_of(trap, trap->call->folder2);
	if (read_path(trap, trap->call->path2, trap->path2))
		return gate_resolve(&caller, trap->path2, END_NAME, &trap->place2);
	return memory_problem(errno, is_unread);
}

struct visit {
	struct gate_trap *trap;
	const struct seccomp_notif *notice;
	bool *is_unread;
	int problem;
};

static void resolve_visit(void *context)
{
	struct visit *visit = context;
	visit->problem = resolve(visit->trap, visit->notice, visit->is_unread);
}

int gate_trap_resolve(struct gate_trap *trap, const struct seccomp_notif *notice, bool *is_unread)
{
	int problem = resolve(trap, notice, is_unread);
	/* In its own namespace a program may search folders that this process may not. */
	if (problem != EACCES || *is_unread || !gate_process_has_own((pid_t)notice->pid, GATE_USERS))
		return problem;
	gate_trap_close(trap);
	struct visit visit = {trap, notice, is_unread, problem};
	return gate_rights_run_inside((pid_t)notice->pid, resolve_visit, &visit) ? visit.problem : problem;
}

void gate_trap_close(struct gate_trap *trap)
{
	gate_place_close(&trap->place);
	gate_place_close(&trap->place2);
}

bool gate_trap_exchanges(const struct gate_trap *trap)
{
	return trap->notice->data.nr == SYS_renameat2 && trap->notice->data.args[4] & RENAME_EXCHANGE;
}

bool gate_trap_truncates(const struct gate_trap *trap) { return trap->notice->data.nr == SYS_truncate; }

bool gate_trap_replaces_nothing(const struct gate_trap *trap)
{
	return trap->notice->data.nr == SYS_renameat2 && trap->notice->data.args[4] & RENAME_NOREPLACE;
}

bool gate_trap_removes_folder(const struct gate_trap *trap)
{
	return trap->call->is_rmdir || (trap->call->verb == GATE_DELETE && trap->call->path == 1 && trap->notice->data.args[2] & AT_REMOVEDIR);
}
