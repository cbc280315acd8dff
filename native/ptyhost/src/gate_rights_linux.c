#include "gate_rights.h"

#include "gate_process.h"
#include "system.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK_BYTES = 64 << 10 };

/* ---- capabilities ---- */

struct rights {
	uint64_t effective, permitted, inheritable;
};

#define RIGHT(number) (UINT64_C(1) << (number))

static bool read_rights(pid_t thread, struct rights *rights)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = thread};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	if (syscall(SYS_capget, &header, data) < 0)
		return false;
	*rights = (struct rights){
		.effective = (uint64_t)data[1].effective << 32 | data[0].effective,
		.permitted = (uint64_t)data[1].permitted << 32 | data[0].permitted,
		.inheritable = (uint64_t)data[1].inheritable << 32 | data[0].inheritable,
	};
	return true;
}

static bool set_effective(const struct rights *own, uint64_t effective)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[] = {
		{(uint32_t)effective, (uint32_t)own->permitted, (uint32_t)own->inheritable},
		{(uint32_t)(effective >> 32), (uint32_t)(own->permitted >> 32), (uint32_t)(own->inheritable >> 32)},
	};
	return syscall(SYS_capset, &header, data) == 0;
}

static struct rights own;
static uint64_t left;
static bool is_taken;

bool gate_rights_are_fewer(pid_t thread)
{
	struct rights theirs = {0};
	bool is_inner = gate_process_has_own(thread, GATE_USERS);
	static bool is_known;
	is_known = is_known || read_rights(0, &own);
	if (!is_known || (!is_inner && !read_rights(thread, &theirs)))
		return false;
	/* Finding its paths needs its open files and folders, and in its own namespace it may search what it owns. */
	uint64_t finding = RIGHT(CAP_SYS_PTRACE) | (is_inner ? RIGHT(CAP_DAC_READ_SEARCH) : 0);
	left = own.effective & (theirs.effective | finding);
	return left != own.effective;
}

bool gate_rights_take_fewer(void)
{
	is_taken = set_effective(&own, left);
	return is_taken;
}

void gate_rights_give_back(void)
{
	if (is_taken)
		set_effective(&own, own.effective);
	is_taken = false;
}

/* ---- the user namespace of the program ---- */

static int open_users(pid_t thread)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/%d/ns/user", thread);
	return open(name, O_RDONLY | O_CLOEXEC);
}

struct visit {
	int users; /* the namespace; -1 if this process is in it */
	struct rights theirs;
	void (*work)(void *);
	void *context;
	bool is_done;
};

static bool become(uid_t user, gid_t group)
{
	return syscall(SYS_setresgid, -1, group, -1) == 0 && syscall(SYS_setresuid, -1, user, -1) == 0;
}

/* Its owner may enter a user namespace, and root may enter any. Some files of /proc compare the user who opens them with that owner. */
static bool enter(const struct visit *visit)
{
	bool is_root = geteuid() == 0;
	uid_t user = (uid_t)setfsuid((uid_t)-1);
	gid_t group = (gid_t)setfsgid((gid_t)-1);
	if (is_root && !become(user, group))
		return false;
	if (visit->users < 0 || setns(visit->users, CLONE_NEWUSER) == 0)
		return true;
	if (!is_root || syscall(SYS_setresuid, -1, 0, -1) < 0)
		return false;
	setfsgid(group);
	setfsuid(user);
	return setns(visit->users, CLONE_NEWUSER) == 0;
}

static int run_visit(void *context)
{
	struct visit *visit = context;
	struct rights inside;
	if (!enter(visit) || !read_rights(0, &inside) || !set_effective(&inside, inside.permitted & visit->theirs.effective))
		return 1;
	visit->work(visit->context);
	visit->is_done = true;
	return 0;
}

bool gate_rights_run_inside(pid_t thread, void (*work)(void *), void *context)
{
	static _Alignas(16) char stack[STACK_BYTES];
	struct visit visit = {.users = -1, .work = work, .context = context};
	if (!read_rights(thread, &visit.theirs) || (gate_process_has_own(thread, GATE_USERS) && (visit.users = open_users(thread)) < 0))
		return false;
	uint64_t effective = left;
	bool was_taken = is_taken;
	gate_rights_give_back();
	/* It is alone in its process, which entering a namespace demands. This one waits. */
	pid_t child = clone(run_visit, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &visit);
	if (child > 0)
		waitpid(child, NULL, 0);
	fd_close(&visit.users);
	left = effective;
	return (!was_taken || gate_rights_take_fewer()) && child > 0 && visit.is_done;
}
