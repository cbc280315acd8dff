/*
 * The system calls that are refused inside, as a program that the kernel runs before each call. Everything else goes on.
 *
 * Refused: typing into the terminal (TIOCSTI, TIOCLINUX), namespaces of its own and all that mounts, the kernel's keys, which no namespace
 * holds, and what has opened kernels most often (bpf, perf, userfaultfd, io_uring). A machine's second instruction set is held in the
 * same way; a third one is refused as a whole.
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
};

/* The newer calls have one number everywhere. */
#define NEWER 425, 428, 429, 430, 431, 432, 433, 442
enum { CLONE3 = 435, X32_BIT = 0x40000000 };

static const struct numbers tables[] = {
#if defined(__x86_64__)
	{AUDIT_ARCH_X86_64, SYS_ioctl, SYS_clone, SYS_unshare,
	 {SYS_mount, SYS_umount2, SYS_pivot_root, SYS_setns, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open,
	  SYS_userfaultfd, NEWER}, 18},
	/* i386: umount (22), mount, umount2, pivot_root, setns, keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd */
	{AUDIT_ARCH_I386, 54, 120, 310, {22, 21, 52, 217, 346, 288, 286, 287, 357, 336, 374, NEWER}, 19},
#elif defined(__aarch64__)
	{AUDIT_ARCH_AARCH64, SYS_ioctl, SYS_clone, SYS_unshare,
	 {SYS_mount, SYS_umount2, SYS_pivot_root, SYS_setns, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open,
	  SYS_userfaultfd, NEWER}, 18},
	/* arm: mount, umount2, pivot_root, setns, keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd */
	{AUDIT_ARCH_ARM, 54, 120, 337, {21, 52, 218, 375, 311, 309, 310, 386, 364, 388, NEWER}, 18},
#endif
};

enum { INSTRUCTIONS_MAX = 160 };
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
	/* Its low half: what the kernel takes of a request's number. Both processors have that first. */
	return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);
}

/* What is loaded is not this number: goes on behind the next `skipped` instructions. */
static void unless_equal_skip(uint32_t value, unsigned char skipped) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped); }

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
	/* Its flags lie in memory, where nobody can judge them; C libraries go back to clone. */
	unless_equal_skip(CLONE3, 1);
	answer(unknown);
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

/* Nobody has looked up this processor's numbers: without the filter there is no sandbox. */
int wall_filter(void)
{
	return -1;
}

bool wall_filter_load(void) { return false; }
#endif
