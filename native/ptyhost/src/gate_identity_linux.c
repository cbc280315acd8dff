#include "gate_identity.h"

#include "gate_rights.h"
#include "gate_state.h"

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GROUPS_MAX = 64 };

struct identity {
	uid_t user;
	gid_t group;
	gid_t groups[GROUPS_MAX];
	size_t group_count;
	mode_t mask;
};

static bool read_identity(pid_t thread, struct identity *identity)
{
	char name[64], line[1024];
	snprintf(name, sizeof name, "/proc/%d/status", thread);
	FILE *status = fopen(name, "re");
	*identity = (struct identity){.mask = 0777};
	bool has_user = false;
	while (status && fgets(line, sizeof line, status)) {
		unsigned real, effective, saved, own;
		if (sscanf(line, "Umask: %o", &own) == 1)
			identity->mask = own;
		if (sscanf(line, "Uid: %u %u %u %u", &real, &effective, &saved, &own) == 4) {
			identity->user = own;
			has_user = true;
		}
		if (sscanf(line, "Gid: %u %u %u %u", &real, &effective, &saved, &own) == 4)
			identity->group = own;
		if (strncmp(line, "Groups:", 7) == 0)
			for (char *at = line + 7, *end; identity->group_count < GROUPS_MAX; at = end) {
				unsigned long group = strtoul(at, &end, 10);
				if (end == at)
					break;
				identity->groups[identity->group_count++] = (gid_t)group;
			}
	}
	if (status)
		fclose(status);
	return has_user;
}

/* A process makes many files one after the other. */
static struct {
	pid_t thread;
	mode_t mask;
	int64_t read_at;
} known_mask;

void gate_forget_masks(void) { known_mask.thread = 0; }

static bool owner_of(pid_t thread, struct stat *seen)
{
	char name[64];
	snprintf(name, sizeof name, "/proc/%d", thread);
	return stat(name, seen) == 0;
}

bool gate_can_act_as(pid_t thread)
{
	struct stat seen;
	return geteuid() == 0 || (owner_of(thread, &seen) && seen.st_uid == geteuid());
}

mode_t gate_mask_of(pid_t thread)
{
	struct identity identity;
	if (known_mask.thread == thread && gate_now_s() - known_mask.read_at <= 1)
		return known_mask.mask;
	known_mask.thread = 0;
	if (!read_identity(thread, &identity))
		return 0777;
	known_mask.thread = thread;
	known_mask.mask = identity.mask;
	known_mask.read_at = gate_now_s();
	return identity.mask;
}

static bool is_taken;

bool gate_take_identity(pid_t thread)
{
	struct stat seen;
	struct identity identity;
	if (geteuid() != 0 || !owner_of(thread, &seen))
		return true;
	/* /proc shows a process that hides its memory as root's. */
	bool has_fewer = gate_rights_are_fewer(thread);
	if (seen.st_uid == 0 && seen.st_gid == 0 && !has_fewer)
		return true;
	if (!read_identity(thread, &identity) || setgroups(identity.group_count, identity.groups) < 0)
		return false;
	is_taken = true;
	setfsgid(identity.group);
	setfsuid(identity.user);
	return (uid_t)setfsuid((uid_t)-1) == identity.user && (!has_fewer || gate_rights_take_fewer());
}

void gate_be_user(bool is_beginning)
{
	if (!is_taken)
		return;
	uid_t user = (uid_t)setfsuid((uid_t)-1);
	gid_t group = (gid_t)setfsgid((gid_t)-1);
	if (is_beginning && (setegid(group) < 0 || seteuid(user) < 0))
		_exit(1);
	if (!is_beginning && (seteuid(0) < 0 || setegid(0) < 0))
		_exit(1);
}

bool gate_give_back_identity(void)
{
	if (!is_taken)
		return false;
	is_taken = false;
	gate_rights_give_back();
	setfsuid(0);
	setfsgid(getegid());
	setgroups(0, NULL);
	return true;
}
