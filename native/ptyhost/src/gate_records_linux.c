#include "gate_records.h"

#include "gate_process.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	SEGMENT_FILES = 4096,
	SAME_START_NS = 20000000, /* a start is computed from two clocks, which are not read at one time */
};

static char folder[PATH_MAX];
static int segment_fd = -1, records_fd = -1;
static uint32_t segment;

void gate_records_in(const char *path) { snprintf(folder, sizeof folder, "%s", path); }
int gate_records_folder(void) { return segment_fd; }

bool gate_records_open(void)
{
	char path[PATH_MAX + 16];
	uint32_t next = gate_state->kept_file_count / SEGMENT_FILES;
	if (segment_fd >= 0 && segment == next)
		return true;
	fd_close(&segment_fd);
	fd_close(&records_fd);
	segment = next;
	snprintf(path, sizeof path, "%s/%u", folder, segment);
	if ((mkdir(folder, 0700) < 0 && errno != EEXIST) || (mkdir(path, 0700) < 0 && errno != EEXIST))
		return false;
	segment_fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	records_fd = segment_fd < 0 ? -1 : openat(segment_fd, "records", O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (records_fd < 0)
		fd_close(&segment_fd);
	return records_fd >= 0;
}

/* One write for a record: a reader finds whole ones, and at most the last one torn. */
static bool write_record(const char *const *fields, size_t count)
{
	static char record[2 * PATH_MAX + COMMAND_BYTES];
	size_t length = 0;
	for (size_t i = 0; i < count; i++) {
		size_t bytes = strlen(fields[i]) + 1;
		if (length + bytes > sizeof record)
			return false;
		memcpy(record + length, fields[i], bytes);
		length += bytes;
	}
	return write(records_fd, record, length) == (ssize_t)length;
}

static struct gate_kept_job *find_job(pid_t group, int64_t start)
{
	struct gate_kept_job *oldest = gate_state->kept_jobs;
	for (size_t i = 0; i < KEPT_JOBS_MAX; i++) {
		struct gate_kept_job *job = &gate_state->kept_jobs[i];
		/* The first process of a job may have ended. */
		if (job->id && job->group == group && (!start || llabs(job->start - start) < SAME_START_NS))
			return job;
		if (job->used_at < oldest->used_at)
			oldest = job;
	}
	*oldest = (struct gate_kept_job){.id = ++gate_state->kept_job_count, .group = group, .start = start, .segment = UINT32_MAX};
	return oldest;
}

struct gate_kept_job *gate_records_job(pid_t thread, pid_t group, int64_t start)
{
	struct gate_kept_job *job = find_job(group, start);
	job->used_at = gate_now_ms();
	if (job->segment == segment)
		return job;
	char id[16], program[PROGRAM_BYTES], command[COMMAND_BYTES];
	gate_process_describe(thread, program, command);
	snprintf(id, sizeof id, "%u", job->id);
	const char *const fields[] = {"job", id, program, command};
	if (write_record(fields, sizeof fields / sizeof *fields))
		job->segment = segment;
	return job;
}

static int64_t wall_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool gate_records_file(const struct gate_kept_job *job, const struct gate_place *place, const char *why, const char *how, uint64_t size, const char *name)
{
	gate_state->kept_file_count++;
	char numbers[4][24];
	snprintf(numbers[0], sizeof numbers[0], "%u", job->id);
	snprintf(numbers[1], sizeof numbers[1], "%" PRId64, wall_ms());
	snprintf(numbers[2], sizeof numbers[2], "%o", place->mode & 07777);
	snprintf(numbers[3], sizeof numbers[3], "%" PRIu64, size);
	const char *const fields[] = {"file", numbers[0], numbers[1], why, how, numbers[2], numbers[3], name, place->shown};
	return write_record(fields, sizeof fields / sizeof *fields);
}
