#include "gate_filter.h"

#include "gate_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#else
#define OWN_ARCH 0
#endif

enum { INSTRUCTIONS_MAX = 400, X32_BIT = 0x40000000 };
static struct sock_filter program[INSTRUCTIONS_MAX];
static unsigned short length;

static void add(unsigned short code, uint32_t value, unsigned char if_true, unsigned char if_false)
{
	program[length++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }
static void answer(uint32_t action) { add(BPF_RET | BPF_K, action, 0, 0); }
static void load_argument(int index) { load(offsetof(struct seccomp_data, args) + (size_t)index * sizeof(uint64_t)); }

static void add_call(const struct gate_call *call)
{
	const struct gate_condition *condition = &call->condition;
	unsigned short test = length;
	add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call->number, 0, 0);
	if (condition->argument != NO_ARGUMENT) {
		load_argument(condition->argument);
		if (condition->bits) {
			add(BPF_JMP | BPF_JSET | BPF_K, condition->bits, 1, 0);
		} else {
			unsigned char count = 0;
			while (condition->values[count])
				count++;
			for (unsigned char i = 0; i < count; i++)
				add(BPF_JMP | BPF_JEQ | BPF_K, condition->values[i], (unsigned char)(count - i), 0);
		}
		answer(SECCOMP_RET_ALLOW);
	}
	answer(SECCOMP_RET_USER_NOTIF);
	program[test].jf = (unsigned char)(length - test - 1);
}

static void write_program(bool asks)
{
	const uint32_t foreign = asks ? SECCOMP_RET_ERRNO | ENOSYS : SECCOMP_RET_ALLOW;
	length = 0;
	load(offsetof(struct seccomp_data, arch));
	/* Calls of another instruction set run unseen while the gate only keeps a journal. */
	add(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0);
	answer(foreign);
	load(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
	add(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	answer(foreign);
#endif
	for (size_t i = 0; i < gate_call_count; i++)
		add_call(&gate_calls[i]);
	answer(SECCOMP_RET_ALLOW);
}

int gate_filter_install(bool asks)
{
	if (!OWN_ARCH) {
		errno = ENOSYS;
		return -1;
	}
	write_program(asks);
	struct sock_fprog filter = {.len = length, .filter = program};
	/* Root keeps what NO_NEW_PRIVS takes: programs that change their user. */
	int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
	if (listener >= 0 || errno != EACCES)
		return listener;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}
