#include "uring.h"

#include <dirent.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <string.h>

enum { THREADS_MAX = 64, READ_MULTISHOT = 49 };

static bool is_read(int operation)
{
	return operation == IORING_OP_READ || operation == IORING_OP_READV || operation == IORING_OP_READ_FIXED ||
	       operation == IORING_OP_POLL_ADD || operation == READ_MULTISHOT;
}

/* What waits until something can be read shows as "op=N" in the ring's fdinfo. */
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

static bool file_begins(pid_t process, const char *thread, const char *name, const char *begin)
{
	char path[320], text[64] = "";
	snprintf(path, sizeof path, "/proc/%d/task/%s/%s", (int)process, thread, name);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	bool is_same = fgets(text, sizeof text, file) && strncmp(text, begin, strlen(begin)) == 0;
	fclose(file);
	return is_same;
}

/* What cannot be polled is read by a worker of the kernel, a thread of the process, which then waits to be woken. */
static bool worker_reads(pid_t process)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", (int)process);
	DIR *threads = opendir(path);
	if (!threads)
		return false;
	bool found = false;
	int count = 0;
	for (struct dirent *entry; !found && count < THREADS_MAX && (entry = readdir(threads)); count++)
		found = entry->d_name[0] != '.' && file_begins(process, entry->d_name, "comm", "iou-wrk-") &&
		        file_begins(process, entry->d_name, "wchan", "wait_woken");
	closedir(threads);
	return found;
}

bool uring_reads(pid_t process, int ring) { return polls(process, ring) || worker_reads(process); }
