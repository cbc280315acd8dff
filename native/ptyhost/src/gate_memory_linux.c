#include "gate_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { PAGE_BYTES = 4096, PIECE_BYTES = 256 /* most paths are shorter */ };

struct request {
	pid_t thread;
	uint32_t length;
	uint64_t at;
};

static int keeper = -1;

void gate_memory_init(int keeper_socket) { keeper = keeper_socket; }

static ssize_t read_here(pid_t thread, uint64_t at, void *to, size_t length)
{
	struct iovec local = {to, length}, remote = {(void *)(uintptr_t)at, length};
	return process_vm_readv(thread, &local, 1, &remote, 1, 0);
}

static ssize_t read_by_keeper(pid_t thread, uint64_t at, void *to, size_t length)
{
	struct request request = {.thread = thread, .length = (uint32_t)length, .at = at};
	if (keeper < 0 || send(keeper, &request, sizeof request, MSG_NOSIGNAL) < 0)
		return -1;
	ssize_t got;
	do
		got = recv(keeper, to, length, 0);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		errno = EPERM;
	return got > 0 ? got : -1;
}

static ssize_t read_some(pid_t thread, uint64_t at, void *to, size_t length)
{
	ssize_t got = read_here(thread, at, to, length);
	return got < 0 && errno == EPERM ? read_by_keeper(thread, at, to, length) : got;
}

bool gate_memory_read(pid_t thread, uint64_t at, void *to, size_t length)
{
	ssize_t got = read_some(thread, at, to, length);
	if (got >= 0 && (size_t)got < length)
		errno = EFAULT;
	return got == (ssize_t)length;
}

/* In pieces that do not cross a page: the next page may not be there. */
bool gate_memory_text(pid_t thread, uint64_t at, char *to, size_t max)
{
	for (size_t done = 0; done < max;) {
		size_t length = PAGE_BYTES - ((at + done) & (PAGE_BYTES - 1));
		if (length > PIECE_BYTES)
			length = PIECE_BYTES;
		if (length > max - done)
			length = max - done;
		ssize_t got = read_some(thread, at + done, to + done, length);
		if (got <= 0)
			return false;
		if (memchr(to + done, 0, (size_t)got))
			return true;
		done += (size_t)got;
	}
	errno = ENAMETOOLONG;
	return false;
}

bool gate_memory_serve(int supervisor)
{
	struct request request;
	char piece[PAGE_BYTES];
	ssize_t length = recv(supervisor, &request, sizeof request, MSG_DONTWAIT);
	if (length < 0)
		return errno == EAGAIN || errno == EINTR;
	if (length != (ssize_t)sizeof request)
		return false;
	size_t wanted = request.length < sizeof piece ? request.length : sizeof piece;
	ssize_t got = read_here(request.thread, request.at, piece, wanted);
	/* An empty answer says that it could not be read. */
	return send(supervisor, piece, got > 0 ? (size_t)got : 0, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 || errno == EAGAIN;
}
