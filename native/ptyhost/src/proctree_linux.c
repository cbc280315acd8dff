#include "proctree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLAG_EXITING = 0x4 }; /* PF_EXITING in the kernel's sched.h */

static ssize_t read_file(const char *path, char *to, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t length = read(fd, to, size - 1);
	close(fd);
	if (length >= 0)
		to[length] = 0;
	return length;
}

int process_stat(pid_t pid, struct process_stat *out)
{
	char path[64], text[512];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if (read_file(path, text, sizeof text) <= 0)
		return -1;
	/* The name stands in brackets and may hold brackets and blanks itself: the last one closes it. */
	char *open_bracket = strchr(text, '('), *close_bracket = strrchr(text, ')');
	if (!open_bracket || !close_bracket)
		return -1;
	int parent, group, session;
	unsigned flags;
	char state;
	if (sscanf(close_bracket + 1, " %c %d %d %d %*d %*d %u", &state, &parent, &group, &session, &flags) != 5)
		return -1;
	*out = (struct process_stat){.pid = pid, .parent = parent, .group = group, .session = session, .state = state,
	                             .exiting = flags & FLAG_EXITING};
	size_t length = (size_t)(close_bracket - open_bracket - 1);
	if (length >= sizeof out->name)
		length = sizeof out->name - 1;
	memcpy(out->name, open_bracket + 1, length);
	return 0;
}

/* The children of one thread; a large family does not fit one read, so the file is read to its end. */
static size_t thread_children(pid_t pid, const char *thread, pid_t *found, size_t count, size_t max)
{
	char path[96], text[4096];
	snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, thread);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return count;
	long number = 0;
	ssize_t length;
	while ((length = read(fd, text, sizeof text)) > 0) {
		for (ssize_t i = 0; i < length; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				number = number * 10 + (text[i] - '0');
			} else if (number > 0) {
				if (count < max)
					found[count++] = (pid_t)number;
				number = 0;
			}
		}
	}
	close(fd);
	return count;
}

static size_t process_children(pid_t pid, pid_t *found, size_t count, size_t max)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *threads = opendir(path);
	if (!threads)
		return count;
	for (struct dirent *thread; (thread = readdir(threads));)
		if (thread->d_name[0] != '.')
			count = thread_children(pid, thread->d_name, found, count, max);
	closedir(threads);
	return count;
}

size_t process_descendants(pid_t root, pid_t *found, size_t max)
{
	size_t count = process_children(root, found, 0, max);
	for (size_t i = 0; i < count; i++)
		count = process_children(found[i], found, count, max);
	return count;
}
