/*
 * Unit tests of ptyhost's parts, printed as TAP: one line per sentence; exit code 1 when any of them is false.
  *
  * Functions that take arbitrary bytes are compared with a naive model under a seeded random sequence. The seed is printed,
  * and `units 123` runs another one. Functions that read the kernel are tested with real children on a real terminal, polled a
  * bounded number of times until they have reached their state. `units 1 emulated` leaves them out, where an emulator of another
  * processor runs the tests: the kernel sees the emulator.
 */
#include "bytes.h"
#include "facts.h"
#include "gate_made.h"
#include "gate_paths.h"
#include "gate_questions.h"
#include "gate_table.h"
#include "limits.h"
#include "moments.h"
#include "panes.h"
#include "proctree.h"
#include "ring.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { TRIES_MAX = 2000, TRY_US = 2000 }; /* four seconds at most, and no longer than needed */

static int tests, failures;

static void ok(bool holds, const char *sentence)
{
	tests++;
	failures += !holds;
	printf("%sok %d - %s\n", holds ? "" : "not ", tests, sentence);
}

/* xorshift: the same numbers for the same seed on every machine. */
static uint64_t random_state;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static size_t random_below(size_t limit) { return (size_t)(random_number() % limit); }

static void fill_random(uint8_t *to, size_t length)
{
	for (size_t i = 0; i < length; i++)
		to[i] = (uint8_t)random_number();
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(2);
}

/* --- ring --- */

enum { WRITTEN_MAX = 4 << 20 };

/* The model: everything ever written. The ring must contain its newest bytes, and at least `kept` of them. */
static bool ring_equals(const struct ring *r, const uint8_t *written, size_t total, uint8_t *scratch)
{
	size_t kept = (size_t)(r->end - r->start), wanted = total < r->capacity ? total : r->capacity;
	if (r->end != total || kept != wanted)
		return false;
	if (ring_copy(r, r->start, scratch, kept) != kept || memcmp(scratch, written + r->start, kept) != 0)
		return false;
	if (kept == 0)
		return true;
	size_t offset = r->start + random_below(kept), length = random_below(2 * kept) + 1;
	size_t there = length < total - offset ? length : total - offset;
	return ring_copy(r, offset, scratch, length) == there && memcmp(scratch, written + offset, there) == 0;
}

static bool ring_agrees(size_t capacity, size_t append_max)
{
	uint8_t *written = malloc(WRITTEN_MAX), *scratch = malloc(2 * capacity + 1);
	must(written && scratch, "malloc");
	struct ring r;
	ring_init(&r, capacity);
	bool good = true;
	size_t total = 0;
	for (int round = 0; good && round < 400; round++) {
		size_t length = random_below(append_max + 1);
		if (length > WRITTEN_MAX - total)
			break;
		fill_random(written + total, length);
		/* Without memory the result is false, and a ring that never received a byte has none. */
		good = ring_append(&r, written + total, length) || (total == 0 && length == 0);
		total += length;
		good = good && ring_equals(&r, written, total, scratch);
	}
	ring_free(&r);
	free(written);
	free(scratch);
	return good;
}

/* --- moments --- */

static bool moments_ordered(const struct moments *m)
{
	for (size_t i = 1; i < m->count; i++)
		if (m->list[i].offset < m->list[i - 1].offset)
			return false;
	return true;
}

static void test_moments(void)
{
	struct moments m = {0};
	moments_add(&m, (struct moment){0, 1000}, 0, false);
	moments_add(&m, (struct moment){10, 1005}, 0, false);
	ok(m.count == 1, "output within a gap belongs to the moment before it");
	moments_add(&m, (struct moment){20, 1005}, 0, true);
	moments_add(&m, (struct moment){30, 900}, 0, false);
	ok(m.count == 3 && m.list[2].at == 900, "a change of size and a clock that was set back start a moment");
	bool good = true;
	for (uint64_t i = 0; i < 100000; i++) {
		moments_add(&m, (struct moment){40 + i, 2000 + 20 * i}, 0, false);
		good = good && m.count <= MOMENTS_MAX && moments_ordered(&m);
	}
	ok(good && m.count > MOMENTS_MAX / 4 && m.list[0].at == 1000,
	   "a list of many moments is bounded, ordered and reaches to the beginning");
	ok(m.list[m.count - 1].at + m.gap > 2000 + 20 * 99999u, "no output is farther from its moment than the gap");
	moments_free(&m);
	for (uint64_t i = 0; i < 5000; i++)
		moments_add(&m, (struct moment){i, 20 * i}, i < 1000 ? 0 : i - 200, false);
	ok(m.gap == 16 && m.list[0].offset <= 4799 && m.list[m.count - 1].offset == 4999,
	   "moments of lost bytes are dropped before others");
	moments_free(&m);
}

static void test_ring_outside(void)
{
	struct ring r;
	uint8_t byte = 0;
	ring_init(&r, 5000);
	ok(ring_copy(&r, 0, &byte, 1) == 0, "an empty ring has nothing to copy");
	uint8_t data[12000];
	fill_random(data, sizeof data);
	ok(ring_append(&r, data, sizeof data) && r.start == 7000 && r.end == 12000,
	   "an append larger than the ring keeps its newest bytes and counts them all");
	uint8_t copy[5000];
	ok(ring_copy(&r, 7000, copy, sizeof copy) == 5000 && memcmp(copy, data + 7000, 5000) == 0,
	   "an oversize append leaves its last bytes in the ring");
	ok(ring_copy(&r, 6999, &byte, 1) == 0, "a byte before the start cannot be copied");
	ok(ring_copy(&r, 12000, &byte, 1) == 0, "a byte at the end cannot be copied");
	ok(ring_append(&r, data, 0) && r.start == 7000 && r.end == 12000, "appending nothing changes nothing");
	ring_free(&r);
	ok(r.size == 0 && r.data == NULL, "a freed ring holds no memory");
}

static void test_ring(void)
{
	ok(ring_agrees(65536, 4000), "a ring keeps the newest bytes under small random appends");
	ok(ring_agrees(10007, 3000), "a ring whose capacity is not a power of two wraps correctly");
	ok(ring_agrees(5000, 20000), "a ring takes appends larger than itself, mixed with smaller ones");
	ok(ring_agrees(1000, 700), "a ring smaller than its first allocation keeps its capacity");
	ok(ring_agrees(1, 3), "a ring of one byte keeps the last");
	test_ring_outside();
	test_moments();
}

/* --- bytes --- */

static bool queue_agrees(size_t append_max, size_t consume_max)
{
	struct bytes queue = {0};
	uint8_t *written = malloc(WRITTEN_MAX);
	must(written, "malloc");
	size_t first = 0, last = 0;
	bool good = true;
	for (int round = 0; good && round < 2000; round++) {
		size_t length = random_below(append_max + 1);
		if (length > WRITTEN_MAX - last)
			break;
		fill_random(written + last, length);
		good = bytes_append(&queue, written + last, length);
		last += length;
		size_t taken = random_below(consume_max + 1);
		if (taken > last - first)
			taken = last - first;
		bytes_consume(&queue, taken);
		first += taken;
		good = good && bytes_length(&queue) == last - first &&
		       (first == last || memcmp(bytes_front(&queue), written + first, last - first) == 0);
	}
	bytes_free(&queue);
	free(written);
	return good;
}

static void test_queue(void)
{
	ok(queue_agrees(300, 320), "a queue keeps its order under random appends and consumes");
	ok(queue_agrees(3000, 2000), "a queue that grows faster than it is consumed keeps its order");
	struct bytes queue = {0};
	uint8_t *room = bytes_reserve(&queue, 100 << 10);
	ok(room != NULL, "a queue reserves room");
	if (room) {
		memset(room, 'x', 100 << 10);
		bytes_grow(&queue, 100 << 10);
	}
	ok(bytes_length(&queue) == 100 << 10 && bytes_front(&queue)[0] == 'x', "bytes written in reserved space are in the queue");
	bytes_consume(&queue, 100 << 10);
	ok(bytes_length(&queue) == 0 && queue.capacity == 0, "a large queue that ran empty frees its memory");
	ok(!bytes_reserve(&queue, SIZE_MAX - 1) && bytes_length(&queue) == 0, "a reservation beyond memory is refused");
	bytes_free(&queue);
}

/* Copied into memory of exactly its size, so that a sanitizer detects any read past the end. */
static bool read_payload(const uint8_t *payload, size_t length)
{
	uint8_t *exact = malloc(length + !length);
	must(exact, "malloc");
	memcpy(exact, payload, length);
	struct reader r = {.at = exact, .end = exact + length};
	size_t blob_length = 0;
	uint8_t a = read_u8(&r);
	uint16_t b = read_u16(&r);
	uint32_t c = read_u32(&r);
	uint64_t d = read_u64(&r);
	const uint8_t *blob = read_blob(&r, &blob_length);
	bool blob_inside = !blob || (blob >= exact && blob + blob_length <= exact + length);
	char *string = read_string(&r);
	bool whole = !r.bad && a == 1 && b == 0x0302 && c == 0x07060504 && d == 0x0f0e0d0c0b0a0908 && blob &&
	             blob_length == 5 && memcmp(blob, "a\0b\0c", 5) == 0 && string && strcmp(string, "name") == 0 && r.at == r.end;
	bool refused = r.bad && !string && read_u8(&r) == 0 && r.at <= r.end;
	free(string);
	free(exact);
	return blob_inside && (whole || refused) && whole != refused;
}

static bool string_refused(const char *data, uint32_t claimed, size_t length)
{
	uint8_t payload[64], *at = payload;
	write_u32(&at, claimed);
	write_raw(&at, data, length);
	struct reader r = {.at = payload, .end = at};
	char *string = read_string(&r);
	bool refused = !string && r.bad;
	free(string);
	return refused;
}

static void test_reader(void)
{
	uint8_t payload[64], *at = payload;
	write_u8(&at, 1);
	write_u16(&at, 0x0302);
	write_u32(&at, 0x07060504);
	write_u64(&at, 0x0f0e0d0c0b0a0908);
	write_u32(&at, 5);
	write_raw(&at, "a\0b\0c", 5);
	write_u32(&at, 4);
	write_raw(&at, "name", 4);
	size_t length = (size_t)(at - payload);
	bool little_endian = true, good = true;
	for (size_t i = 0; i < 15; i++)
		little_endian &= payload[i] == i + 1;
	ok(little_endian, "numbers are written with their lowest byte first");
	struct reader whole = {.at = payload, .end = payload + length};
	ok(read_u8(&whole) == 1 && read_payload(payload, length), "a whole payload reads back as it was written");
	for (size_t cut = 0; cut < length; cut++)
		good &= read_payload(payload, cut);
	ok(good, "a payload cut anywhere is refused, and nothing past its end is read");
	ok(string_refused("a\0b", 3, 3), "a string that holds a NUL is refused");
	ok(string_refused("abc", UINT32_MAX, 3), "a string with a length beyond the payload is refused");
	ok(!string_refused("", 0, 0), "an empty string is a string");
}

/* --- processes --- */

/* Forks a child that ends with its parent, so that a failing test leaves no process behind. */
static pid_t fork_child(void)
{
	fflush(stdout);
	pid_t parent = getpid(), pid = fork();
	must(pid >= 0, "fork");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
	}
	return pid;
}

static void sleep_for_ever(void)
{
	for (;;)
		pause();
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

static void test_own_process(void)
{
	struct process_stat stat;
	ok(process_stat(getpid(), &stat) == 0 && stat.pid == getpid() && stat.parent == getppid() &&
	       stat.group == getpgrp() && stat.session == getsid(0) && stat.state == 'R',
	   "our own process has our parent, group and session, and runs");
	char before[16];
	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "a ) (b) c) 1 2");
	ok(process_stat(getpid(), &stat) == 0 && strcmp(stat.name, "a ) (b) c) 1 2") == 0 && stat.parent == getppid(),
	   "a name with blanks and brackets is read whole");
	prctl(PR_SET_NAME, before);
	pid_t pid = fork_child();
	if (pid == 0)
		_exit(0);
	end_child(pid);
	ok(process_stat(pid, &stat) < 0, "an ended process has no stat");
}

/* The first child has a child in a session of its own. All write their pids to a pipe when they run. */
static void grow_tree(int report)
{
	for (int i = 0; i < 3; i++) {
		if (fork_child() > 0)
			continue;
		if (i == 0 && fork_child() == 0) {
			setsid();
			i = 3;
		}
		pid_t said[2] = {getpid(), i};
		must(write(report, said, sizeof said) == sizeof said, "write");
		sleep_for_ever();
	}
	sleep_for_ever();
}

static size_t index_of(const pid_t *found, size_t count, pid_t pid)
{
	size_t i = 0;
	while (i < count && found[i] != pid)
		i++;
	return i;
}

static void test_tree(void)
{
	int report[2];
	must(pipe(report) == 0, "pipe");
	pid_t root = fork_child();
	if (root == 0)
		grow_tree(report[1]);
	pid_t members[4] = {0}, found[16];
	for (int i = 0; i < 4; i++) {
		pid_t said[2];
		must(read(report[0], said, sizeof said) == sizeof said, "read");
		members[said[1]] = said[0];
	}
	size_t count = process_descendants(root, found, NULL, 16), seen = 0;
	for (int i = 0; i < 4; i++)
		seen += index_of(found, count, members[i]) < count;
	ok(count == 4 && seen == 4, "a tree of three children and a grandchild is found, and nothing else");
	struct process_stat stat;
	ok(process_stat(members[3], &stat) == 0 && stat.session == members[3] && stat.parent == members[0],
	   "a grandchild that left the session is found, too");
	ok(index_of(found, count, members[0]) < index_of(found, count, members[3]), "a parent comes before its child");
	ok(process_descendants(root, found, NULL, 2) == 2, "no more are found than the array holds");
	end_child(root); /* its children end with it, and theirs with them */
	close(report[0]);
	close(report[1]);
}

/* --- facts --- */

struct terminal {
	struct facts_terminal facts;
	struct facts_cache cache;
	struct facts now;
};

/* The behaviour of a child on its terminal, which is its descriptor 0. Never returns. */
typedef void behaviour(void);

static struct terminal open_terminal(behaviour *behave)
{
	struct terminal t = {.facts = {.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)}};
	must(t.facts.master >= 0 && grantpt(t.facts.master) == 0 && unlockpt(t.facts.master) == 0, "posix_openpt");
	const char *name = ptsname(t.facts.master);
	t.facts.slave = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	struct stat stat;
	must(t.facts.slave >= 0 && fstat(t.facts.slave, &stat) == 0, "open slave");
	t.facts.device = stat.st_rdev;
	facts_cache_init(&t.cache);
	t.facts.root = getpid();
	t.facts.leader = fork_child();
	if (t.facts.leader == 0) {
		setsid();
		must(ioctl(t.facts.slave, TIOCSCTTY, 0) == 0 && dup2(t.facts.slave, 0) == 0, "TIOCSCTTY");
		behave();
		_exit(1);
	}
	return t;
}

static void close_terminal(struct terminal *t)
{
	end_child(t->facts.leader);
	facts_cache_clear(&t->cache);
	close(t->facts.master);
	close(t->facts.slave);
}

typedef bool expectation(const struct facts *);

/* Polls until the expectation is met, at most a bounded number of times. */
static bool comes_true(struct terminal *t, expectation *expected)
{
	for (int try = 0; try < TRIES_MAX; try++) {
		facts_sample(&t->facts, &t->cache, &t->now);
		if (expected(&t->now))
			return true;
		nanosleep(&(struct timespec){.tv_nsec = TRY_US * 1000l}, NULL);
	}
	printf("# wait %d state %c timeout %d bytes %u others %u waiter %d thread %d foreground %d unread %u name %s\n",
	       t->now.wait, t->now.state, t->now.timeout_ms, t->now.read_bytes, t->now.other_fds, t->now.waiter,
	       t->now.waiter_thread, t->now.foreground, t->now.unread, t->now.name);
	return false;
}

static void open_pipe(int *ends)
{
	must(pipe(ends) == 0, "pipe");
}

static void behave_read(void)
{
	char line[100];
	for (;;)
		must(read(0, line, sizeof line) >= 0, "read");
}

static bool is_read(const struct facts *f)
{
	return f->wait == WAIT_READ && f->read_bytes == 100 && f->timeout_ms == WAIT_FOREVER && f->other_fds == 0 &&
	       f->waiter == f->foreground && f->waiter_thread == f->waiter && f->state == 'S' && f->readable;
}

/* Polls repeatedly, as a program with a tick does: each round ends by its time-out. */
static void behave_poll(void)
{
	int ends[2];
	open_pipe(ends);
	struct pollfd fds[] = {{.fd = 0, .events = POLLIN}, {.fd = ends[0], .events = POLLIN}, {.fd = -1, .events = POLLIN}};
	for (;;)
		poll(fds, 3, 250);
}

static bool is_poll(const struct facts *f)
{
	return f->wait == WAIT_POLL && f->timeout_ms == 250 && f->other_fds == 1;
}

static void behave_pselect(void)
{
	int ends[2];
	open_pipe(ends);
	for (;;) {
		fd_set set;
		FD_ZERO(&set);
		FD_SET(0, &set);
		FD_SET(ends[0], &set);
		pselect(ends[0] + 1, &set, NULL, NULL, NULL, NULL);
	}
}

static bool is_pselect(const struct facts *f)
{
	return f->wait == WAIT_SELECT && f->timeout_ms == WAIT_FOREVER && f->other_fds == 1;
}

static void watch(int epoll, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
	must(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0, "epoll_ctl");
}

static void behave_nested_epoll(void)
{
	int inner = epoll_create1(0), outer = epoll_create1(0), ends[2];
	open_pipe(ends);
	watch(inner, 0);
	watch(outer, inner);
	watch(outer, ends[0]);
	struct epoll_event event;
	for (;;)
		epoll_wait(outer, &event, 1, -1);
}

static bool is_nested_epoll(const struct facts *f)
{
	return f->wait == WAIT_EPOLL && f->timeout_ms == WAIT_FOREVER && f->other_fds == 1;
}

static void *read_in_thread(void *unused)
{
	behave_read();
	return unused;
}

static void behave_reader_thread(void)
{
	pthread_t thread;
	must(pthread_create(&thread, NULL, read_in_thread, NULL) == 0, "pthread_create");
	sleep_for_ever();
}

static bool is_reader_thread(const struct facts *f)
{
	return f->wait == WAIT_READ && f->read_bytes == 100 && f->waiter == f->foreground && f->waiter_thread != f->waiter &&
	       f->waiter_thread > 0;
}

static void behave_sleep(void)
{
	prctl(PR_SET_NAME, "only sleeps");
	sleep_for_ever();
}

static bool is_asleep(const struct facts *f)
{
	return f->wait == WAIT_NONE && f->state == 'S' && f->waiter == 0 && strcmp(f->name, "only sleeps") == 0;
}

/* Waits for a pipe. Its terminal is open on 0, which must not make it a reader of the terminal. */
static void behave_read_elsewhere(void)
{
	int ends[2];
	char byte;
	open_pipe(ends);
	prctl(PR_SET_NAME, "only sleeps");
	must(read(ends[0], &byte, 1) >= 0, "read");
}

/* poll on an epoll that holds the terminal. */
static void behave_poll_on_epoll(void)
{
	int epoll = epoll_create1(0), ends[2];
	open_pipe(ends);
	watch(epoll, 0);
	struct pollfd fds[] = {{.fd = epoll, .events = POLLIN}, {.fd = ends[0], .events = POLLIN}};
	for (;;)
		poll(fds, 2, -1);
}

static bool is_poll_on_epoll(const struct facts *f)
{
	return f->wait == WAIT_POLL && f->timeout_ms == WAIT_FOREVER && f->other_fds == 1;
}

/* A raw terminal whose reads time out after half a second. */
static void behave_timed_read(void)
{
	struct termios termios;
	char byte;
	must(tcgetattr(0, &termios) == 0, "tcgetattr");
	termios.c_lflag &= ~(tcflag_t)ICANON;
	termios.c_cc[VMIN] = 0;
	termios.c_cc[VTIME] = 5;
	must(tcsetattr(0, TCSANOW, &termios) == 0, "tcsetattr");
	for (;;)
		must(read(0, &byte, 1) >= 0, "read");
}

static bool is_timed_read(const struct facts *f) { return f->wait == WAIT_READ && f->timeout_ms == 500; }

static void *compute(void *unused)
{
	for (volatile unsigned long i = 0;; i++)
		;
	return unused;
}

static void behave_compute(void)
{
	prctl(PR_SET_NAME, "computes");
	compute(NULL);
}

static bool is_running(const struct facts *f)
{
	return f->wait == WAIT_NONE && f->activity == ACTIVITY_RUNS && strcmp(f->name, "computes") == 0;
}

/* Opens an inner terminal on which a child runs `inside`; returns its other end. */
static int open_inside(behaviour *inside)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	must(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0, "posix_openpt");
	if (fork_child() == 0) {
		setsid();
		int slave = open(ptsname(master), O_RDWR);
		must(slave >= 0 && dup2(slave, 0) == 0, "open inner terminal");
		inside();
		_exit(1);
	}
	return master;
}

/* Relays like a multiplexer. */
static void relay(behaviour *inside)
{
	int master = open_inside(inside);
	struct pollfd fds[] = {{.fd = 0, .events = POLLIN}, {.fd = master, .events = POLLIN}};
	for (;;)
		poll(fds, 2, -1);
}

static void behave_relay_of_reader(void) { relay(behave_read); }
static void behave_relay_of_worker(void) { relay(behave_compute); }

/* Input goes to the older of two panes. */
static void behave_panes(void)
{
	char text[10];
	int older = open_inside(behave_read), newer = open_inside(behave_read);
	struct pollfd fds[] = {{.fd = 0, .events = POLLIN}, {.fd = older}, {.fd = newer}};
	for (;;) {
		poll(fds, 3, -1);
		ssize_t length = read(0, text, sizeof text);
		must(length > 0 && write(older, text, (size_t)length) == length, "pass on");
	}
}

static bool is_inner_read(const struct facts *f) { return f->inner && f->wait == WAIT_READ && f->canonical && f->echo; }
static bool is_inner_running(const struct facts *f) { return f->inner && is_running(f); }

static void test_waits(void)
{
	static const struct {
		behaviour *behave;
		expectation *expected;
		const char *sentence;
	} rows[] = {
		{behave_read, is_read, "a child in read(0) waits by read, for as many bytes as it asked for"},
		{behave_poll, is_poll, "a child in poll waits by poll, with its time-out and its other descriptor"},
		{behave_pselect, is_pselect, "a child in pselect without a time-out waits without end"},
		{behave_nested_epoll, is_nested_epoll, "a terminal in an epoll inside an epoll is found"},
		{behave_reader_thread, is_reader_thread, "a reader thread next to a sleeping main thread is found"},
		{behave_poll_on_epoll, is_poll_on_epoll, "a terminal in an epoll inside a poll is found"},
		{behave_timed_read, is_timed_read, "a raw terminal's own time-out is the read's"},
		{behave_compute, is_running, "a child that computes runs"},
		{behave_relay_of_reader, is_inner_read, "behind a relay, the program inside is the waiter"},
		{behave_relay_of_worker, is_inner_running, "and while that program works, there is no waiter"},
		{behave_sleep, is_asleep, "a child that only sleeps does not wait on its terminal"},
		{behave_read_elsewhere, is_asleep, "a child that reads from a pipe does not wait on its terminal"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct terminal t = open_terminal(rows[i].behave);
		ok(comes_true(&t, rows[i].expected), rows[i].sentence);
		close_terminal(&t);
	}
}

static void say(int fd, const char *text)
{
	must(write(fd, text, strlen(text)) == (ssize_t)strlen(text), "write");
}

/* The search result about the process is older than its current state. */
static void test_stale_worker(void)
{
	struct terminal t = open_terminal(behave_read);
	ok(comes_true(&t, is_read), "a child reads");
	struct process_stat then;
	must(process_stat(t.now.waiter, &then) == 0, "stat");
	then.state = 'D';
	struct facts facts = {.readable = true};
	struct search search = {.device = t.facts.device, .foreground = t.now.foreground, .cache = &t.cache,
	                        .facts = &facts};
	ok(!worker_note(&search, &then, 1), "a process that worked a moment ago and waits now is not reported as working");
	ok(t.cache.worker.doubted, "and is examined again immediately");
	/* It was about to wait for the disk and did not have to. */
	t.cache.worker.doubted = false;
	t.cache.worker.activity = ACTIVITY_DISK;
	t.cache.last = (struct facts){.state = 'S', .foreground = t.now.foreground};
	facts.foreground = t.now.foreground;
	ok(!worker_works_on(&t.cache, &facts), "a process that waited for the disk and now waits for input is not reported as working");
	close_terminal(&t);
}

/* Works in pieces, each a time slice, then sleeps once for long, like a program that was just started. */
static int gate[2];

static void behave_work_then_sleep(void)
{
	char byte;
	for (;;) {
		must(read(gate[0], &byte, 1) == 1, "read");
		if (byte == '.')
			sleep(1000);
	}
}

static bool is_at_gate(const struct facts *f) { return f->activity == ACTIVITY_PIPE; }
static bool is_sleeping(const struct facts *f) { return f->activity == ACTIVITY_SLEEPS || f->activity == ACTIVITY_ROUNDS; }

static void test_rounds(void)
{
	open_pipe(gate);
	struct terminal t = open_terminal(behave_work_then_sleep);
	must(comes_true(&t, is_at_gate), "the child came to the gate");
	struct terminal unseen = {.facts = t.facts};
	facts_cache_init(&unseen.cache);
	for (int piece = 0; piece < 5; piece++) {
		say(gate[1], "w");
		for (int unread = 1, try = 0; unread > 0 && try < TRIES_MAX; try++)
			must(ioctl(gate[0], FIONREAD, &unread) == 0, "FIONREAD");
		must(comes_true(&unseen, is_at_gate), "the child came back to the gate");
	}
	facts_cache_clear(&unseen.cache);
	say(gate[1], ".");
	ok(comes_true(&t, is_sleeping) && t.now.activity == ACTIVITY_SLEEPS, "one sleep after work is not reported as rounds");
	close_terminal(&t);
}


static void test_panes(void)
{
	struct terminal t = open_terminal(behave_panes);
	const struct panes *panes = &t.cache.panes;
	for (int try = 0; try < TRIES_MAX && (panes->count < 2 || !panes->noted[0].waiter || !panes->noted[1].waiter); try++) {
		must(comes_true(&t, is_inner_read), "a terminal inside is found");
		facts_before_input(&t.facts, &t.cache);
	}
	facts_sample(&t.facts, &t.cache, &t.now);
	pid_t before = t.now.waiter;
	ok(is_inner_read(&t.now) && t.cache.panes.all_rest, "of several inner terminals, none has taken input before it was sent");
	say(t.facts.master, "four\n");
	for (int try = 0; try < TRIES_MAX && !panes->taken; try++)
		facts_sample(&t.facts, &t.cache, &t.now);
	ok(comes_true(&t, is_inner_read) && t.now.waiter != before, "the one that ran has taken it, whether it is the newest or not");
	close_terminal(&t);
}

/* A multiplexer's server is process 50; the newest process at the last input was 100. */
static void test_starting_pane(void)
{
	struct panes panes = {.count = 1, .newest = 100};
	static const struct {
		struct process_stat process;
		bool starts;
		const char *sentence;
	} rows[] = {
		{{.pid = 101, .parent = 50, .state = 'S'}, true, "a later child of the relay without a terminal may get one"},
		{{.pid = 99, .parent = 50, .state = 'R'}, false, "an earlier child will not"},
		{{.pid = 101, .parent = 101, .state = 'R'}, false, "a child of another process is not the relay's"},
		{{.pid = 101, .parent = 50, .state = 'R', .terminal = 1}, false, "a child with a terminal is a pane already"},
		{{.pid = 101, .parent = 50, .state = 'Z'}, false, "an ended child will not get one"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ok(panes_start(&panes, 50, &rows[i].process, 1) == rows[i].starts, rows[i].sentence);
}

/* The files of the cached thread are used the second time; its time slices prove that it slept throughout. */
static void test_cache(void)
{
	struct terminal t = open_terminal(behave_read);
	bool first = comes_true(&t, is_read);
	struct facts before = t.now;
	bool kept = t.cache.process == t.facts.leader && t.cache.syscall_fd >= 0;
	facts_sample(&t.facts, &t.cache, &t.now);
	ok(first && kept && is_read(&t.now) && t.now.waiter_thread == before.waiter_thread,
	   "a waiting thread is cached and found again");
	ok(t.now.slices > 0 && t.now.slices == before.slices, "a thread that slept between two samples has the same time slices");
	end_child(t.facts.leader);
	facts_sample(&t.facts, &t.cache, &t.now);
	ok(t.now.wait == WAIT_NONE && t.now.waiter == 0, "an ended child no longer waits");
	facts_cache_clear(&t.cache);
	close(t.facts.master);
	close(t.facts.slave);
}

static void set_flags(int fd, tcflag_t off, tcflag_t on)
{
	struct termios termios;
	must(tcgetattr(fd, &termios) == 0, "tcgetattr");
	termios.c_lflag = (termios.c_lflag & ~off) | on;
	must(tcsetattr(fd, TCSANOW, &termios) == 0, "tcsetattr");
}

static bool has_unread_5(const struct facts *f) { return f->unread == 5; }

enum { WRITES = 500 };

/* Counts the writes that were seen completely at once, and as taken after they were read. */
static unsigned writes_seen_at_once(struct terminal *t)
{
	unsigned seen = 0;
	for (unsigned i = 0; i < WRITES; i++) {
		char taken[8];
		say(t->facts.master, "keys!");
		facts_sample(&t->facts, &t->cache, &t->now);
		bool is_unread = has_unread_5(&t->now) && !t->now.emptied;
		must(read(t->facts.slave, taken, sizeof taken) == 5, "read slave");
		facts_sample(&t->facts, &t->cache, &t->now);
		seen += is_unread && t->now.emptied;
	}
	return seen;
}

static void test_terminal_state(void)
{
	struct terminal t = open_terminal(behave_sleep);
	bool asleep = comes_true(&t, is_asleep);
	ok(asleep && t.now.canonical && t.now.echo && t.now.signals && t.now.unread == 0,
	   "a new terminal edits lines, echoes, sends signals, and has nothing unread");
	ok(t.now.foreground == t.facts.leader, "the leader's group is in the foreground");
	set_flags(t.facts.slave, ECHO, 0);
	facts_sample(&t.facts, &t.cache, &t.now);
	ok(t.now.canonical && !t.now.echo, "a terminal that asks for a password edits lines and does not echo");
	say(t.facts.master, "four\n");
	ok(comes_true(&t, has_unread_5), "a line that no one took is unread");
	tcflush(t.facts.slave, TCIFLUSH);
	set_flags(t.facts.slave, ICANON | ISIG, ECHO);
	facts_sample(&t.facts, &t.cache, &t.now);
	ok(!t.now.canonical && t.now.echo && !t.now.signals && t.now.unread == 0, "a terminal read key by key reports it");
	say(t.facts.master, "keys!");
	ok(comes_true(&t, has_unread_5), "keys that no one took are unread without a line end");
	tcflush(t.facts.slave, TCIFLUSH);
	ok(writes_seen_at_once(&t) == WRITES, "written bytes are seen immediately, however late the kernel's worker runs");
	close_terminal(&t);
}

/* Like a shell's `read -s`: its line editor restores the modes, it works for some microseconds, and it turns the echo
 * off. */
static void behave_ask_secrets(void)
{
	char line[100];
	for (;;) {
		set_flags(0, 0, ECHO);
		for (volatile size_t work = random_below(20000); work > 0; work--)
			;
		set_flags(0, ECHO, 0);
		must(read(0, line, sizeof line) >= 0, "read");
	}
}

enum { SECRETS = 3000 };

/* A program that asks for several secrets in a row is never seen waiting with echo. */
static void test_modes_of_waiter(void)
{
	struct terminal t = open_terminal(behave_ask_secrets);
	unsigned echoing = 0;
	bool asks = true;
	for (unsigned i = 0; asks && i < SECRETS; i++) {
		asks = comes_true(&t, is_read);
		echoing += t.now.echo;
		/* The sample after the write is the one that meets the change of modes. */
		say(t.facts.master, "secret\n");
		for (int look = 0; look < 20; look++) {
			facts_sample(&t.facts, &t.cache, &t.now);
			echoing += t.now.wait == WAIT_READ && t.now.echo;
		}
	}
	ok(asks && echoing == 0, "a program that turns the echo off and reads is never seen to read with the echo on");
	close_terminal(&t);
}

/* ---- the gate ---- */

static struct gate_file some_file(uint64_t number, int64_t born)
{
	return (struct gate_file){.device = 1 + number % 3, .number = number, .born_s = born, .has_birth = true};
}

static void test_gate_made(void)
{
	enum { FILES = 50000, SURELY_KEPT = 16000, SURELY_FORGOTTEN = 20000 };
	for (uint64_t i = 0; i < FILES; i++) {
		struct gate_file file = some_file(i * 7919, (int64_t)i);
		gate_made_add(&file);
		gate_made_add(&file);
	}
	bool knows_new = true, knows_old = false, knows_others = false;
	for (uint64_t i = 0; i < FILES; i++) {
		struct gate_file file = some_file(i * 7919, (int64_t)i), other = some_file(i * 7919, (int64_t)i + 1);
		knows_new = knows_new && (i < FILES - SURELY_KEPT || gate_made_has(&file));
		knows_old = knows_old || (i < FILES - SURELY_FORGOTTEN && gate_made_has(&file));
		knows_others = knows_others || gate_made_has(&other);
	}
	ok(knows_new && !knows_old, "the newest files of a terminal are known, and the oldest forgotten");
	ok(!knows_others, "another file with the number of one that was made is not known");
	struct gate_file unborn = some_file(1, 1);
	unborn.has_birth = false;
	gate_made_add(&unborn);
	ok(!gate_made_has(&unborn), "a file without a birth is never known");
}

static void test_gate_births(const char *folder)
{
	struct gate_caller caller = {.thread = getpid(), .folder = AT_FDCWD};
	struct gate_place place, again;
	char path[256];
	snprintf(path, sizeof path, "%s/later", folder);
	bool is_resolved = gate_resolve(&caller, path, END_FOLLOWED, &place) == 0 && !place.exists;
	gate_made_expect(&place);
	gate_made_look();
	close(open(path, O_CREAT | O_WRONLY, 0600));
	gate_made_look();
	is_resolved = is_resolved && gate_resolve(&caller, path, END_FOLLOWED, &again) == 0;
	ok(is_resolved && again.exists && (gate_made_has(&again.file) || !again.file.has_birth), "a file that appears where one was expected is known");
	gate_place_close(&again);
	unlink(path);
}

static void read_gate_table(const char *folder)
{
	enum { LINE_BYTES = 4127 /* read at a time */ };
	static char table[LINE_BYTES + 2048];
	static const char *const lines[] = {
		"free %s/b/temp*\n", "kept %s/c\n", "free %s/a\n", "guarded %s/a/keys\n", "guarded %s/.rc\n", "whole %s/a\n", "nonsense %s\n", "free relative\n", "free\n",
		"free %s/history*\n", "guarded %s//later/\n", "guarded %s/later/../b\n",
	};
	size_t length = 0;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		length += (size_t)snprintf(table + length, sizeof table - length, lines[i], folder);
	/* The end of a line that is too long is no row. */
	memset(table + length, 'x', LINE_BYTES);
	length += LINE_BYTES;
	length += (size_t)snprintf(table + length, sizeof table - length, "free %s/b\n", folder);
	int fd = memfd_create("table", 0);
	if (write(fd, table, length) != (ssize_t)length)
		return;
	lseek(fd, 0, SEEK_SET);
	gate_table_read(fd);
}

static void test_gate_table(const char *folder)
{
	static const struct {
		const char *path;
		enum gate_verb verb;
		bool is_new, is_made, asks;
	} rows[] = {
		{"a/file", GATE_DELETE, false, false, false}, {"a/keys/k", GATE_WRITE, false, false, true}, {"a/keys/new", GATE_CREATE, true, false, true},
		{"a/keys/k", GATE_DELETE, false, true, false}, {"a", GATE_DELETE, false, false, true}, {"a", GATE_MODE, false, false, true},
		{"b/file", GATE_WRITE, false, false, true}, {"b/new", GATE_CREATE, true, false, false}, {".rc", GATE_CREATE, true, false, true},
		{".dir/rc", GATE_CREATE, true, false, false}, {".dir/rc", GATE_WRITE, false, false, true}, {"ab", GATE_DELETE, false, false, true},
		{"b/temp", GATE_DELETE, false, false, false}, {"b/temp.1/x", GATE_DELETE, false, false, false}, {"b/tem", GATE_DELETE, false, false, true},
		{"b/file", GATE_LINK, false, false, false}, {"a/keys/k", GATE_LINK, false, false, true}, {"", GATE_MOVE, false, false, true},
		{"c", GATE_DELETE, false, false, false}, {".rc.lock", GATE_CREATE, true, false, false},
		/* A beginning that is the name of a link: the names, and the file that it leads to, but not those whose names begin like that one. */
		{"history.1", GATE_DELETE, false, false, false}, {"of", GATE_DELETE, false, false, false}, {"often", GATE_DELETE, false, false, true},
		/* A folder that was not there when the table was read. */
		{"later/x", GATE_CREATE, true, false, true},
	};
	bool good = true;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[256];
		snprintf(path, sizeof path, "%s%s%s", folder, *rows[i].path ? "/" : "", rows[i].path);
		struct gate_caller caller = {.thread = getpid(), .folder = AT_FDCWD};
		struct gate_place place;
		if (gate_resolve(&caller, path, END_FOLLOWED, &place)) {
			printf("# %s is not resolved\n", path);
			good = false;
			continue;
		}
		struct gate_effect effect = {.verb = rows[i].verb, .place = &place, .is_new = rows[i].is_new, .is_made = rows[i].is_made};
		if (gate_asks(&effect) != rows[i].asks) {
			printf("# %s: %s\n", path, rows[i].asks ? "not asked about" : "asked about");
			good = false;
		}
		gate_place_close(&place);
	}
	ok(good, "the longest row of the gate's table that contains a place decides");
}

static struct gate_question *ask_about_delete(pid_t thread, const char *path) { return gate_ask(thread, GATE_DELETE, path); }

/* The open question that stands for all takes the place of one that is forgotten: it comes before the others then. */
static void test_gate_questions(void)
{
	must(gate_state_make() != NULL, "the state of a gate");
	gate_state->asks = true;
	gate_state->deadline_ms = 60000;
	pid_t ended = fork();
	if (ended == 0) {
		setpgid(0, 0);
		pause();
	}
	setpgid(ended, ended);
	struct gate_question *first = ask_about_delete(ended, "/one/two/three/f");
	static const char *const paths[] = {"/a/a/a/f", "/b/b/b/f", "/c/c/c/f", "/d/d/d/f", "/e/e/e/f", "/g/g/g/f"};
	uint32_t ids[6];
	gate_question_answer(first, GATE_DENIED);
	for (size_t i = 0; i < 6; i++)
		ids[i] = ask_about_delete(getpid(), paths[i])->id;
	ok(gate_question_find(ids[5])->is_for_all && ask_about_delete(getpid(), "/h/h/h/f")->id == ids[5], "further calls join the open question that stands for all");
	first->sent = first->count;
	first->sent_answer = first->answer;
	kill(ended, SIGKILL);
	waitpid(ended, NULL, 0);
	gate_questions_sweep();
	gate_question_answer(gate_question_find(ids[0]), GATE_ALLOWED);
	ok(gate_state->question_count == 6 && ask_about_delete(getpid(), "/a/a/a/g")->id == ids[0], "a call of a question that was answered gets its answer");
	for (size_t i = 0; i < 6; i++)
		gate_question_answer(gate_question_find(ids[i]), GATE_DENIED);
	char path[64];
	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof path, "/many/%d/x/f", i);
		gate_question_answer(ask_about_delete(getpid(), path), GATE_DENIED);
	}
	ok(gate_state->question_count == 6 + PLACES_MAX - 5 + 1, "a job that has asked about many places asks about the others together");
}

/* Every way to write a path leads to the same place, resolved in one call of the kernel or step by step. */
static void test_gate_spellings(const struct gate_caller *caller)
{
	static const char *const paths[] = {"a/keys/k", "a/keys/../keys/k", "./a/keys/k", "a//keys/k", "link/k", "a/../link/../keys/k", "/proc/self/cwd/a/keys/k"};
	char spot[4096] = "";
	bool good = true;
	for (size_t i = 0; good && i < sizeof paths / sizeof *paths; i++) {
		struct gate_place place;
		good = gate_resolve(caller, paths[i], END_FOLLOWED, &place) == 0 && place.exists && (i == 0 || strcmp(spot, place.spot.path) == 0);
		if (!good) {
			printf("# %s: %s\n", paths[i], place.spot.path);
			break;
		}
		snprintf(spot, sizeof spot, "%s", place.spot.path);
		gate_place_close(&place);
	}
	ok(good, "all ways to write a path lead to the same place");
}

static void test_gate_problems(const struct gate_caller *caller)
{
	static const struct {
		const char *path;
		enum gate_end end;
		int problem;
	} rows[] = {
		{"none/x", END_FOLLOWED, ENOENT}, {"a/keys/k/x", END_FOLLOWED, ENOTDIR}, {"circle/x", END_FOLLOWED, ELOOP}, {"", END_FOLLOWED, ENOENT},
		{"a/keys/k/.", END_FOLLOWED, ENOTDIR}, {"a/keys/k/..", END_FOLLOWED, ENOTDIR}, {"a/keys/k/", END_FOLLOWED, ENOTDIR}, {"slash", END_FOLLOWED, ENOTDIR},
		{"slash", END_LINK, 0}, {"slash/", END_LINK, ENOTDIR}, {"link/", END_LINK, 0}, {"link/", END_NAME, 0},
	};
	bool good = true;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_place place;
		int problem = gate_resolve(caller, rows[i].path, rows[i].end, &place);
		bool is_link = problem == 0 && S_ISLNK(place.mode);
		bool must_be_link = rows[i].problem == 0 && (rows[i].end == END_NAME || strcmp(rows[i].path, "slash") == 0);
		if (problem != rows[i].problem || is_link != must_be_link) {
			printf("# %s: %s\n", rows[i].path, strerror(problem));
			good = false;
		}
		if (problem == 0)
			gate_place_close(&place);
	}
	ok(good, "a path that leads nowhere has the error that the kernel gives, and a slash behind a link is followed where the kernel does");
}

/* Each link is nearly as long as a path may be, and the rest of the path before it as well. */
static void test_gate_long_links(const struct gate_caller *caller)
{
	char target[PATH_MAX], path[PATH_MAX];
	bool good = true;
	const char *const names[] = {"long1", "long2", "long3", "a"};
	for (size_t i = 0; i < 3; i++) {
		size_t length = 0;
		length = (size_t)snprintf(target, sizeof target, "%s", names[i + 1]);
		while (length + 3 < sizeof target)
			length += (size_t)snprintf(target + length, sizeof target - length, "/.");
		good = good && symlinkat(target, caller->folder, names[i]) == 0;
	}
	size_t length = (size_t)snprintf(path, sizeof path, "long1");
	while (length + 8 < sizeof path)
		length += (size_t)snprintf(path + length, sizeof path - length, "/.");
	snprintf(path + length, sizeof path - length, "/file");
	struct gate_place place;
	good = good && gate_resolve(caller, path, END_FOLLOWED, &place) == 0 && place.exists;
	if (good)
		gate_place_close(&place);
	ok(good, "links whose text is together longer than a path are followed");
}

/* Its path is longer than the kernel shows one. */
static void test_gate_deep(const struct gate_caller *caller)
{
	enum { FOLDERS = 20 };
	char name[NAME_MAX + 1];
	memset(name, 'd', NAME_MAX);
	name[NAME_MAX] = 0;
	struct gate_caller deep = {.thread = caller->thread, .folder = dup(caller->folder)};
	struct gate_place above, place;
	bool good = gate_resolve(&deep, "a", END_FOLLOWED, &above) == 0;
	for (int i = 0; i < FOLDERS && good; i++) {
		int next = mkdirat(deep.folder, name, 0700) == 0 ? openat(deep.folder, name, O_RDONLY | O_DIRECTORY) : -1;
		close(deep.folder);
		deep.folder = next;
		good = next >= 0;
	}
	good = good && gate_resolve(&deep, "x", END_FOLLOWED, &place) == 0;
	struct gate_effect effect = {.verb = GATE_WRITE, .place = &place};
	good = good && !place.exists && place.spot.is_cut && place.spot.device == above.spot.device && !gate_is_free(&place) && gate_asks(&effect);
	ok(good, "a place whose path is too long is in the file system and the area of the folders above it");
	gate_place_close(&above);
	gate_place_close(&place);
	close(deep.folder);
}

static void test_gate_paths(const char *folder)
{
	struct gate_caller caller = {.thread = getpid(), .folder = open(folder, O_RDONLY | O_DIRECTORY)};
	char before[4096];
	bool is_there = getcwd(before, sizeof before) && chdir(folder) == 0;
	test_gate_spellings(&caller);
	test_gate_problems(&caller);
	test_gate_long_links(&caller);
	test_gate_deep(&caller);
	close(caller.folder);
	ok(is_there && chdir(before) == 0, "the working folder is there");
}

static void test_gate(void)
{
	char folder[] = "/tmp/ptyhost-units-XXXXXX", command[512];
	if (!mkdtemp(folder)) {
		ok(false, "a folder can be made");
		return;
	}
	snprintf(command, sizeof command, "cd %s && mkdir -p a/keys b/temp.1 .dir && touch b/temp b/tem b/temp.1/x a/file a/keys/k b/file .dir/rc ab && ln -s a/keys link && ln -s circle circle && ln -s a/file/ slash && touch of often history.1 && ln -s of history", folder);
	ok(system(command) == 0, "files can be made");
	test_gate_made();
	test_gate_births(folder);
	test_gate_questions();
	read_gate_table(folder);
	snprintf(command, sizeof command, "mkdir %s/later", folder);
	ok(system(command) == 0, "a folder can be made");
	test_gate_table(folder);
	test_gate_paths(folder);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	ok(system(command) == 0, "files can be removed");
}

static const struct part {
	const char *name;
	void (*run)(void);
	bool needs_kernel; /* reads what the kernel says of programs, which is the emulator where one runs them */
} parts[] = {
	{"rings", test_ring, false},
	{"queues", test_queue, false},
	{"readers", test_reader, false},
	{"the own process", test_own_process, true},
	{"process trees", test_tree, false},
	{"waits", test_waits, true},
	{"a stale worker", test_stale_worker, true},
	{"rounds", test_rounds, true},
	{"panes", test_panes, true},
	{"a starting pane", test_starting_pane, true},
	{"the cache", test_cache, true},
	{"the state of a terminal", test_terminal_state, true},
	{"the modes of a waiter", test_modes_of_waiter, true},
	{"the gate", test_gate, false},
};

int main(int count, char **arguments)
{
	unsigned long long seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
	bool is_emulated = count > 2 && strcmp(arguments[2], "emulated") == 0;
	random_state = seed * 0x9e3779b97f4a7c15ull + 1;
	printf("# seed %llu\n", seed);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!is_emulated || !parts[i].needs_kernel)
			parts[i].run();
		else
			printf("# not run under an emulator: %s\n", parts[i].name);
	}
	printf("1..%d\n", tests);
	return failures > 0;
}
