/*
 * The filter that refuses system calls inside, as a program that the kernel runs before each call. All other calls are allowed.
 *
 * Refused: typing into the terminal (TIOCSTI, TIOCLINUX), namespaces of its own and all that mounts, the kernel's keys, which no namespace
 * holds, what has opened kernels most often (bpf, perf, userfaultfd, io_uring), and modes with the set-user-ID or set-group-ID bit: a file with
 * such a mode stays in the workspace, where other users of the machine could run it as its owner. A machine's second instruction set is held in
 * the same way; a third one is refused as a whole.
 */
#include "wall_parts.h"

#if defined(__x86_64__) || defined(__aarch64__)
#include <asm/ioctls.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif

struct numbers {
	uint32_t arch, ioctl, clone, unshare;
	uint32_t refused[24];
	size_t count;
	/* The calls that set a file's mode, with the argument that contains it. Those that open files have their flags in the argument before. */
	struct mode_call { uint32_t number, argument; bool opens; } mode_calls[10];
	size_t mode_count;
};

/* Newer calls have the same number on every architecture. */
#define NEWER 425, 428, 429, 430, 431, 432, 433, 442
enum { CLONE3 = 435, OPENAT2 = 437, FCHMODAT2 = 452, X32_BIT = 0x40000000 };
enum { SET_ID_BITS = 06000, MAKES_FILE = 0100 /* O_CREAT */ | 020000000 /* the kernel's O_TMPFILE */ };

static const struct numbers tables[] = {
#if defined(__x86_64__)
	{AUDIT_ARCH_X86_64, SYS_ioctl, SYS_clone, SYS_unshare,
	 {SYS_mount, SYS_umount2, SYS_pivot_root, SYS_setns, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open,
	  SYS_userfaultfd, NEWER}, 18,
	 {{SYS_open, 2, true}, {SYS_openat, 3, true}, {SYS_creat, 1, false}, {SYS_chmod, 1, false}, {SYS_fchmod, 1, false},
	  {SYS_fchmodat, 2, false}, {FCHMODAT2, 2, false}, {SYS_mknod, 1, false}, {SYS_mknodat, 2, false}}, 9},
	/* i386: umount (22), mount, umount2, pivot_root, setns, keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd */
	{AUDIT_ARCH_I386, 54, 120, 310, {22, 21, 52, 217, 346, 288, 286, 287, 357, 336, 374, NEWER}, 19,
	 /* open, openat, creat, chmod, fchmod, fchmodat, fchmodat2, mknod, mknodat */
	 {{5, 2, true}, {295, 3, true}, {8, 1, false}, {15, 1, false}, {94, 1, false}, {306, 2, false}, {FCHMODAT2, 2, false}, {14, 1, false},
	  {297, 2, false}}, 9},
#elif defined(__aarch64__)
	{AUDIT_ARCH_AARCH64, SYS_ioctl, SYS_clone, SYS_unshare,
	 {SYS_mount, SYS_umount2, SYS_pivot_root, SYS_setns, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open,
	  SYS_userfaultfd, NEWER}, 18,
	 {{SYS_openat, 3, true}, {SYS_fchmod, 1, false}, {SYS_fchmodat, 2, false}, {FCHMODAT2, 2, false}, {SYS_mknodat, 2, false}}, 5},
	/* arm: mount, umount2, pivot_root, setns, keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd */
	{AUDIT_ARCH_ARM, 54, 120, 337, {21, 52, 218, 375, 311, 309, 310, 386, 364, 388, NEWER}, 18,
	 /* open, openat, creat, chmod, fchmod, fchmodat, fchmodat2, mknod, mknodat */
	 {{5, 2, true}, {322, 3, true}, {8, 1, false}, {15, 1, false}, {94, 1, false}, {333, 2, false}, {FCHMODAT2, 2, false}, {14, 1, false},
	  {324, 2, false}}, 9},
#endif
};

enum { INSTRUCTIONS_MAX = 320 };
static struct sock_filter program[INSTRUCTIONS_MAX];
static unsigned short length;

static void add(unsigned short code, uint32_t value, unsigned char if_true, unsigned char if_false)
{
	program[length++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }
static void answer(uint32_t action) { add(BPF_RET | BPF_K, action, 0, 0); }

static size_t argument(unsigned index)
{
	/* The low half: the kernel uses only that part of the number. On both processors it comes first. */
	return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);
}

/* If the loaded value differs from this number, skips the next `skipped` instructions. */
static void unless_equal_skip(uint32_t value, unsigned char skipped) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped); }

/* Without O_CREAT an opening call has no mode, and its argument may contain anything. */
static void add_mode_call(const struct mode_call *call)
{
	unless_equal_skip(call->number, call->opens ? 6 : 4);
	if (call->opens) {
		load(argument(call->argument - 1));
		add(BPF_JMP | BPF_JSET | BPF_K, MAKES_FILE, 0, 3);
	}
	load(argument(call->argument));
	add(BPF_JMP | BPF_JSET | BPF_K, SET_ID_BITS, 0, 1);
	answer(SECCOMP_RET_ERRNO | EPERM);
	answer(SECCOMP_RET_ALLOW);
}

static void add_table(const struct numbers *table)
{
	const uint32_t refused = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS;
	load(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
	add(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	answer(unknown);
#endif
	unless_equal_skip(table->ioctl, 5);
	load(argument(1));
	add(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0);
	add(BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1);
	answer(refused);
	answer(SECCOMP_RET_ALLOW);
	const uint32_t makers[] = {table->clone, table->unshare};
	for (size_t i = 0; i < 2; i++) {
		unless_equal_skip(makers[i], 4);
		load(argument(0));
		add(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1);
		answer(refused);
		answer(SECCOMP_RET_ALLOW);
	}
	/* Their arguments are in memory, which a filter cannot read; programs fall back to clone and openat. */
	const uint32_t unreadable[] = {CLONE3, OPENAT2};
	for (size_t i = 0; i < 2; i++) {
		unless_equal_skip(unreadable[i], 1);
		answer(unknown);
	}
	for (size_t i = 0; i < table->mode_count; i++)
		add_mode_call(&table->mode_calls[i]);
	for (size_t i = 0; i < table->count; i++) {
		unless_equal_skip(table->refused[i], 1);
		answer(refused);
	}
	answer(SECCOMP_RET_ALLOW);
}

static void write_program(void)
{
	length = 0;
	load(offsetof(struct seccomp_data, arch));
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		unsigned short test = length;
		unless_equal_skip(tables[i].arch, 0);
		add_table(&tables[i]);
		program[test].jf = (unsigned char)(length - test - 1);
	}
	answer(SECCOMP_RET_ERRNO | ENOSYS);
}

bool wall_filter_load(void)
{
	write_program();
	struct sock_fprog filter = {.len = length, .filter = program};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

int wall_filter(void)
{
	write_program();
	int ends[2];
	if (pipe(ends) < 0)
		return -1;
	ssize_t bytes = (ssize_t)(length * sizeof *program);
	bool is_written = write(ends[1], program, (size_t)bytes) == bytes;
	close(ends[1]);
	if (is_written)
		return ends[0];
	close(ends[0]);
	return -1;
}
#else

/* The numbers of this processor are not in the table; without the filter there is no sandbox. */
int wall_filter(void)
{
	return -1;
}

bool wall_filter_load(void) { return false; }
#endif
