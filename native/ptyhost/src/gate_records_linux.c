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
	FLUSH_MS = 50,            /* the longest that a record waits for others */
	AGAIN_MS = 1000,          /* after a write that has failed */
	SAME_START_NS = 20000000, /* a start is computed from two clocks, which are not read at one time */
};

static char folder[PATH_MAX];
static int segment_fd = -1, records_fd = -1;
static uint32_t segment;

void gate_records_in(const char *path) { snprintf(folder, sizeof folder, "%s", path); }
int gate_records_folder(void) { return segment_fd; }

void gate_records_close(void)
{
	fd_close(&segment_fd);
	fd_close(&records_fd);
}

static bool open_segment(uint32_t next)
{
	char path[PATH_MAX + 16];
	if (segment_fd >= 0 && segment == next)
		return true;
	gate_records_close();
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

/* One write for many records. A reader finds whole ones, and at most the last one torn. On a full disk the rest waits. */
static bool write_records(void)
{
	if (!gate_state->records_length)
		return true;
	ssize_t written = open_segment(gate_state->records_segment) ? write(records_fd, gate_state->records, gate_state->records_length) : -1;
	if (written > 0) {
		gate_state->records_length -= (size_t)written;
		memmove(gate_state->records, gate_state->records + written, gate_state->records_length);
	}
	return !gate_state->records_length;
}

int gate_records_flush(bool is_end)
{
	if (!gate_state->records_length)
		return -1;
	int64_t left = gate_state->records_since + FLUSH_MS - gate_now_ms();
	if (left > 0 && !is_end)
		return (int)left;
	return write_records() ? -1 : AGAIN_MS;
}

bool gate_records_open(void)
{
	uint32_t next = gate_state->kept_file_count / SEGMENT_FILES;
	if (next != gate_state->records_segment && !write_records())
		return false;
	gate_state->records_segment = next;
	return open_segment(next);
}

static bool add_record(const char *const *fields, size_t count)
{
	size_t length = 0;
	for (size_t i = 0; i < count; i++)
		length += strlen(fields[i]) + 1;
	if (gate_state->records_length + length > RECORDS_BYTES && !write_records())
		return false;
	if (!gate_state->records_length)
		gate_state->records_since = gate_now_ms();
	for (size_t i = 0; i < count; i++) {
		size_t bytes = strlen(fields[i]) + 1;
		memcpy(gate_state->records + gate_state->records_length, fields[i], bytes);
		gate_state->records_length += bytes;
	}
	return true;
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
	if (job->segment == gate_state->records_segment)
		return job;
	char id[16], program[PROGRAM_BYTES], command[COMMAND_BYTES];
	gate_process_describe(thread, program, command);
	snprintf(id, sizeof id, "%u", job->id);
	const char *const fields[] = {"job", id, program, command};
	if (add_record(fields, sizeof fields / sizeof *fields))
		job->segment = gate_state->records_segment;
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
	return add_record(fields, sizeof fields / sizeof *fields);
}
