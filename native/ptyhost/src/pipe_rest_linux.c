#include "pipe_rest.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The inode of a pipe among a process's descriptors; 0 if it is not a pipe. */
static ino_t pipe_of(pid_t process, unsigned fd)
{
	char path[64];
	struct stat stat_buffer;
	snprintf(path, sizeof path, "/proc/%d/fd/%u", (int)process, fd);
	return stat(path, &stat_buffer) == 0 && S_ISFIFO(stat_buffer.st_mode) ? stat_buffer.st_ino : 0;
}

/* Stores in `read_pipe` the pipe that it reads. A running process shows no call. */
static bool rests(const struct process_stat *process, ino_t *read_pipe)
{
	char text[128] = "";
	long number;
	unsigned fd;
	*read_pipe = 0;
	if (process->state == 'Z')
		return true;
	int file = process->threads > 1 ? -1 : thread_file(process->pid, process->pid, "syscall");
	ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
	if (file >= 0)
		close(file);
	if (length <= 0 || sscanf(text, "%ld %x", &number, &fd) != 2)
		return false;
	switch (number) {
	case SYS_wait4:
	case SYS_waitid:
		return true;
	case SYS_read:
	case SYS_readv:
		*read_pipe = pipe_of(process->pid, fd);
		return *read_pipe != 0;
	case SYS_write:
	case SYS_writev:
		return pipe_of(process->pid, fd) != 0;
	default:
		return false;
	}
}

bool pipe_readers_rest(pid_t writer, pid_t group, dev_t terminal, const struct process_stat *processes, size_t count)
{
	ino_t pipe = pipe_of(writer, STDOUT_FILENO);
	bool is_read = false;
	for (size_t i = 0; pipe != 0 && i < count; i++) {
		ino_t read_pipe;
		if (processes[i].group != group || processes[i].terminal != terminal || processes[i].pid == writer)
			continue;
		if (!rests(&processes[i], &read_pipe))
			return false;
		is_read |= read_pipe == pipe;
	}
	return is_read;
}
