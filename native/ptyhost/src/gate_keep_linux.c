#include "gate_keep.h"

#include "gate_files.h"
#include "gate_identity.h"
#include "gate_process.h"
#include "gate_records.h"
#include "gate_state.h"
#include "gate_table.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	NAMES_MAX = 16,
	COPY_MAX = 8 << 20,       /* bytes of one file; a file system that shares blocks has no limit */
	JOB_COPIES_MAX = 256 << 20,
	OWN_AFTER_NS = 20000000, /* starts of processes are known to within 10 ms */
	COPIED_MAX = 256,
};

static uint64_t job_bytes_max;
static char unkept[NAMES_MAX][NAME_MAX + 1];
static size_t unkept_count;

/* ---- its rows ---- */

void gate_keep_read(int table)
{
	static char line[PATH_MAX + 64];
	FILE *rows = fdopen(table, "r");
	while (rows && fgets(line, sizeof line, rows)) {
		int path = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "keeps %" SCNu64 " %n", &job_bytes_max, &path) == 1 && line[path] == '/')
			gate_records_in(line + path);
		if (unkept_count < NAMES_MAX && sscanf(line, "unkept %255[^/]", unkept[unkept_count]) == 1)
			unkept_count++;
	}
	if (rows)
		fclose(rows);
}

/* ---- what is worth it ---- */

static bool is_in_unkept(const char *path)
{
	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/'))
		for (size_t i = 0; i < unkept_count; i++) {
			size_t length = strlen(unkept[i]);
			if (strncmp(at + 1, unkept[i], length) == 0 && (at[1 + length] == '/' || at[1 + length] == 0))
				return true;
		}
	return false;
}

/* The thread that acted last: a process deletes many files one after the other. */
static struct {
	pid_t thread, group;
	int64_t read_at, start, group_start;
} actor;

static void look_at_actor(pid_t thread)
{
	int64_t now = gate_now_s();
	if (actor.thread == thread && now - actor.read_at <= 1)
		return;
	actor.thread = thread;
	actor.group = getpgid(thread);
	actor.read_at = now;
	actor.start = gate_process_start(thread);
	actor.group_start = gate_process_start(actor.group);
}

/* A job cleans up what it has made itself: temporary files, and files that it writes again and again. They were not there before it. */
static bool is_own(const struct gate_file *file)
{
	int64_t start = actor.group_start ? actor.group_start : actor.start;
	int64_t born = file->born_s * 1000000000 + file->born_ns;
	/* A clock that was set back has files of the future. */
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return file->has_birth && start && born > start + OWN_AFTER_NS && born <= (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool is_worth_it(const struct gate_place *place)
{
	return place->exists && gate_is_kept(place) && !is_in_unkept(place->spot.path) && !is_own(&place->file);
}

/* ---- keeping ---- */

static bool copy_bytes(int from, int to, uint64_t size)
{
	if (ioctl(to, FICLONE, from) == 0)
		return true;
	if (size > COPY_MAX)
		return false;
	ssize_t piece;
	do
		piece = sendfile(to, from, NULL, COPY_MAX);
	while (piece > 0 || (piece < 0 && errno == EINTR));
	return piece == 0;
}

static bool copy_file(const struct gate_place *place, const char *name)
{
	struct stat seen;
	int from = *place->name ? openat(place->folder, place->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	if (from < 0 || !gate_file_is_judged(from, place) || fstat(from, &seen) < 0) {
		fd_close(&from);
		return false;
	}
	int to = openat(gate_records_folder(), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	const struct timespec times[] = {seen.st_atim, seen.st_mtim};
	bool is_kept = to >= 0 && copy_bytes(from, to, (uint64_t)seen.st_size) && fchown(to, seen.st_uid, seen.st_gid) == 0 &&
	               fchmod(to, seen.st_mode & 07777) == 0 && futimens(to, times) == 0;
	close(from);
	if (to >= 0 && !is_kept)
		unlinkat(gate_records_folder(), name, 0);
	fd_close(&to);
	return is_kept;
}

/* In a sandbox the file is below another mount than the kept files. A link is made from where a person finds it, if that is the same file. */
static bool link_file(const struct gate_place *place, const char *name)
{
	if (linkat(place->folder, place->name, gate_records_folder(), name, 0) == 0)
		return true;
	if (errno != EXDEV || linkat(AT_FDCWD, place->shown, gate_records_folder(), name, 0) < 0)
		return false;
	int fd = openat(gate_records_folder(), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	bool is_same = fd >= 0 && gate_file_is_judged(fd, place);
	fd_close(&fd);
	if (!is_same)
		unlinkat(gate_records_folder(), name, 0);
	return is_same;
}

/* A job opens the same file for writing again and again: its first copy is what was there before the job. */
static bool is_copied(const struct gate_kept_job *job, const struct gate_file *file)
{
	static struct {
		uint32_t job;
		struct gate_file file;
	} copied[COPIED_MAX];
	static size_t next;
	for (size_t i = 0; i < COPIED_MAX; i++)
		if (copied[i].job == job->id && copied[i].file.number == file->number && copied[i].file.device == file->device &&
		    copied[i].file.born_s == file->born_s && copied[i].file.born_ns == file->born_ns)
			return true;
	copied[next % COPIED_MAX].job = job->id;
	copied[next++ % COPIED_MAX].file = *file;
	return false;
}

static bool has_room(const struct gate_kept_job *job, uint64_t size, bool is_copy)
{
	return job->bytes + size <= job_bytes_max && (!is_copy || job->copied + size <= JOB_COPIES_MAX);
}

static bool keep_file(struct gate_kept_job *job, const struct gate_place *place, const char *why, bool may_link)
{
	char name[16];
	uint64_t size = place->links > 1 && may_link ? 0 : place->size;
	snprintf(name, sizeof name, "%u", gate_state->kept_file_count);
	/* To a path that is too long nothing can be put back. */
	bool may_keep = !place->spot.is_cut;
	bool is_link = may_keep && may_link && has_room(job, size, false) && link_file(place, name);
	bool is_copy = may_keep && !is_link && S_ISREG(place->mode) && has_room(job, size, true) && copy_file(place, name);
	job->bytes += is_link || is_copy ? size : 0;
	job->copied += is_copy ? size : 0;
	/* Its folder may have been removed: the next file makes it again. */
	if (!is_link && !is_copy)
		gate_records_close();
	return gate_records_file(job, place, why, is_link ? "link" : is_copy ? "copy" : "lost", size, name) && (is_link || is_copy);
}

static bool keep(const struct gate_trap *trap)
{
	const struct gate_place *place = trap->call->verb == GATE_MOVE ? &trap->place2 : &trap->place;
	if (!gate_records_open())
		return trap->call->verb != GATE_DELETE;
	struct gate_kept_job *job = gate_records_job((pid_t)trap->notice->pid, actor.group, actor.group_start);
	if (trap->call->verb == GATE_MOVE)
		keep_file(job, place, "replace", true);
	else if (trap->call->verb == GATE_WRITE && !is_copied(job, &place->file))
		keep_file(job, place, "write", false);
	else if (trap->call->verb == GATE_DELETE && S_ISDIR(place->mode) && !place->spot.is_cut)
		gate_records_file(job, place, "delete", "folder", 0, "");
	else if (trap->call->verb == GATE_DELETE)
		return keep_file(job, place, "delete", true);
	return true;
}

static bool takes_away(const struct gate_trap *trap)
{
	const struct gate_place *place = trap->call->verb == GATE_MOVE ? &trap->place2 : &trap->place;
	switch (trap->call->verb) {
	case GATE_DELETE:
		return S_ISREG(place->mode) || S_ISLNK(place->mode) || S_ISDIR(place->mode);
	case GATE_MOVE:
		return !S_ISDIR(place->mode) && !gate_trap_exchanges(trap);
	case GATE_WRITE: /* what is only appended to loses nothing */
		return S_ISREG(place->mode) && (trap->how.flags & O_TRUNC || !(trap->how.flags & O_APPEND));
	default:
		return false;
	}
}

bool gate_keep(const struct gate_trap *trap)
{
	const struct gate_place *place = trap->call->verb == GATE_MOVE ? &trap->place2 : &trap->place;
	if (!job_bytes_max || !takes_away(trap))
		return true;
	look_at_actor((pid_t)trap->notice->pid);
	if (!is_worth_it(place))
		return true;
	/* The folder is this process's own, and not the program's. */
	bool was_taken = gate_give_back_identity();
	bool is_kept = keep(trap);
	return (!was_taken || gate_take_identity((pid_t)trap->notice->pid)) && is_kept;
}
