#include "uring.h"

#include "proctree.h"

#include <linux/io_uring.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 64, READ_MULTISHOT = 49 };

static bool is_read(int operation)
{
	return operation == IORING_OP_READ || operation == IORING_OP_READV || operation == IORING_OP_READ_FIXED ||
	       operation == IORING_OP_POLL_ADD || operation == READ_MULTISHOT;
}

/* A pending poll request shows as "op=N" in the ring's fdinfo. */
static bool polls(pid_t process, int ring)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)process, ring);
	FILE *info = fopen(path, "re");
	bool found = false;
	while (info && !found && fgets(line, sizeof line, info)) {
		int operation;
		found = sscanf(line, " op=%d", &operation) == 1 && is_read(operation);
	}
	if (info)
		fclose(info);
	return found;
}

static bool file_begins(pid_t process, pid_t thread, const char *name, const char *begin)
{
	char text[64];
	int fd = thread_file(process, thread, name);
	if (fd < 0)
		return false;
	ssize_t length = read(fd, text, sizeof text);
	close(fd);
	return length >= (ssize_t)strlen(begin) && memcmp(text, begin, strlen(begin)) == 0;
}

/* Files that cannot be polled are read by a kernel worker, a thread of the process, which then waits for a wake-up. */
static bool worker_reads(pid_t process)
{
	pid_t threads[THREADS_MAX];
	size_t count = process_threads(process, threads, THREADS_MAX);
	for (size_t i = 0; i < count; i++)
		if (file_begins(process, threads[i], "comm", "iou-wrk-") && file_begins(process, threads[i], "wchan", "wait_woken"))
			return true;
	return false;
}

bool uring_reads(pid_t process, int ring) { return polls(process, ring) || worker_reads(process); }
