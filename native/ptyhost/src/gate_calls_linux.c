#include "gate_calls.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/* Flags of an opening call that can write, make or empty a file. */
#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

/* The bits of a signal; a call without one only looks whether there is a process. */
#define ANY_SIGNAL 0x7f

#define ALWAYS {NO_ARGUMENT, 0, {0}}
#define NONE NO_ARGUMENT

/* Numbers that older headers do not have are the same on every processor. */
enum { NR_PIDFD_SEND_SIGNAL = 424, NR_OPENAT2 = 437, NR_FCHMODAT2 = 452, NR_SETXATTRAT = 463, NR_REMOVEXATTRAT = 466, NR_URING_SETUP = 425, NR_MOVE_MOUNT = 429, NR_FILE_SETATTR = 469, NR_LANDLOCK_RESTRICT_SELF = 446 };

/*
 * docs/effects.md has the same rows, and those of calls that the gate leaves alone. The filter compares a call with one row after the other, and the kernel
 * remembers which numbers it always allows: first come those that programs make often and whose arguments decide.
 */
const struct gate_call gate_calls[] = {
	{SYS_openat, "openat", GATE_WRITE, 0, 1, NONE, NONE, 2, true, NONE, {2, WRITES, {0}}, .change = CHANGE_NONE},
	{SYS_ioctl, "ioctl", GATE_MODE, 0, OPENED_FILE, NONE, NONE, NONE, false, NONE,
	 {1, 0, {FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_FSSETXATTR, 0}}, .change = CHANGE_FLAGS},
#ifdef SYS_unlink /* processors before aarch64 have these, too */
	{SYS_open, "open", GATE_WRITE, NONE, 0, NONE, NONE, 1, true, NONE, {1, WRITES, {0}}, .change = CHANGE_NONE},
	{SYS_unlink, "unlink", GATE_DELETE, NONE, 0, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_rmdir, "rmdir", GATE_DELETE, NONE, 0, NONE, NONE, NONE, false, NONE, ALWAYS, .is_rmdir = true},
	{SYS_rename, "rename", GATE_MOVE, NONE, 0, NONE, 1, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_chmod, "chmod", GATE_MODE, NONE, 0, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_MODE},
	{SYS_chown, "chown", GATE_MODE, NONE, 0, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_OWNER},
	{SYS_lchown, "lchown", GATE_MODE, NONE, 0, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_OWNER},
	{SYS_link, "link", GATE_LINK, NONE, 0, NONE, 1, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_symlink, "symlink", GATE_CREATE, NONE, 1, NONE, NONE, NONE, false, NONE, ALWAYS, .is_symlink = true},
	{SYS_mkdir, "mkdir", GATE_CREATE, NONE, 0, NONE, NONE, NONE, false, NONE, ALWAYS, .is_mkdir = true},
	{SYS_mknod, "mknod", GATE_CREATE, NONE, 0, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_creat, "creat", GATE_WRITE, NONE, 0, NONE, NONE, NONE, true, NONE, ALWAYS, .is_creat = true},
#endif
	{SYS_unlinkat, "unlinkat", GATE_DELETE, 0, 1, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
#ifdef SYS_renameat
	{SYS_renameat, "renameat", GATE_MOVE, 0, 1, 2, 3, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
#endif
	{SYS_renameat2, "renameat2", GATE_MOVE, 0, 1, 2, 3, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_truncate, "truncate", GATE_WRITE, NONE, 0, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_fchmodat, "fchmodat", GATE_MODE, 0, 1, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_MODE},
	{NR_FCHMODAT2, "fchmodat2", GATE_MODE, 0, 1, NONE, NONE, NONE, true, 3, ALWAYS, .change = CHANGE_MODE},
	{SYS_fchownat, "fchownat", GATE_MODE, 0, 1, NONE, NONE, NONE, true, 4, ALWAYS, .change = CHANGE_OWNER},
	{SYS_fchmod, "fchmod", GATE_MODE, 0, OPENED_FILE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_MODE},
	{SYS_fchown, "fchown", GATE_MODE, 0, OPENED_FILE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_OWNER},
	{SYS_setxattr, "setxattr", GATE_MODE, NONE, 0, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_ATTRIBUTE},
	{SYS_lsetxattr, "lsetxattr", GATE_MODE, NONE, 0, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_ATTRIBUTE},
	{SYS_fsetxattr, "fsetxattr", GATE_MODE, 0, OPENED_FILE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_ATTRIBUTE},
	{SYS_removexattr, "removexattr", GATE_MODE, NONE, 0, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_ATTRIBUTE, .is_remove = true},
	{SYS_lremovexattr, "lremovexattr", GATE_MODE, NONE, 0, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_ATTRIBUTE, .is_remove = true},
	{SYS_fremovexattr, "fremovexattr", GATE_MODE, 0, OPENED_FILE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_ATTRIBUTE, .is_remove = true},
	{NR_SETXATTRAT, "setxattrat", GATE_MODE, 0, 1, NONE, NONE, NONE, true, 2, ALWAYS, .change = CHANGE_NEWER},
	{NR_REMOVEXATTRAT, "removexattrat", GATE_MODE, 0, 1, NONE, NONE, NONE, true, 2, ALWAYS, .change = CHANGE_NEWER},
	{NR_FILE_SETATTR, "file_setattr", GATE_MODE, 0, 1, NONE, NONE, NONE, true, 4, ALWAYS, .change = CHANGE_NEWER},
	{SYS_linkat, "linkat", GATE_LINK, 0, 1, 2, 3, NONE, false, 4, ALWAYS, .change = CHANGE_NONE},
	{SYS_symlinkat, "symlinkat", GATE_CREATE, 1, 2, NONE, NONE, NONE, false, NONE, ALWAYS, .is_symlink = true},
	{SYS_mkdirat, "mkdirat", GATE_CREATE, 0, 1, NONE, NONE, NONE, false, NONE, ALWAYS, .is_mkdir = true},
	{SYS_mknodat, "mknodat", GATE_CREATE, 0, 1, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{NR_OPENAT2, "openat2", GATE_WRITE, 0, 1, NONE, NONE, OPEN_HOW, true, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_mount, "mount", GATE_MOUNT, NONE, 1, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_umount2, "umount2", GATE_MOUNT, NONE, 0, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_pivot_root, "pivot_root", GATE_MOUNT, NONE, 0, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_NONE},
	{NR_MOVE_MOUNT, "move_mount", GATE_MOUNT, 2, 3, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_connect, "connect", GATE_CONNECT, NONE, NONE, NONE, NONE, NONE, true, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_bind, "bind", GATE_BIND, NONE, NONE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_kill, "kill", GATE_SIGNAL, NONE, NONE, NONE, NONE, NONE, false, NONE, {1, ANY_SIGNAL, {0}}, .change = CHANGE_NONE},
	{SYS_rt_sigqueueinfo, "rt_sigqueueinfo", GATE_SIGNAL, NONE, NONE, NONE, NONE, NONE, false, NONE, {1, ANY_SIGNAL, {0}}, .change = CHANGE_NONE},
	{NR_PIDFD_SEND_SIGNAL, "pidfd_send_signal", GATE_SIGNAL, NONE, NONE, NONE, NONE, NONE, false, NONE, {1, ANY_SIGNAL, {0}}, .change = CHANGE_NONE},
	{SYS_ptrace, "ptrace", GATE_TRACE, NONE, NONE, NONE, NONE, NONE, false, NONE, {0, 0, {PTRACE_ATTACH, PTRACE_SEIZE, 0}}, .change = CHANGE_NONE},
	{SYS_process_vm_writev, "process_vm_writev", GATE_TRACE, NONE, NONE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_umask, "umask", GATE_IDENTITY, NONE, NONE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_unshare, "unshare", GATE_IDENTITY, NONE, NONE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{SYS_setns, "setns", GATE_IDENTITY, NONE, NONE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{NR_LANDLOCK_RESTRICT_SELF, "landlock_restrict_self", GATE_RESTRICT, NONE, NONE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
	{NR_URING_SETUP, "io_uring_setup", GATE_URING, NONE, NONE, NONE, NONE, NONE, false, NONE, ALWAYS, .change = CHANGE_NONE},
};
const size_t gate_call_count = sizeof gate_calls / sizeof *gate_calls;

const struct gate_call *gate_call_find(int number)
{
	for (size_t i = 0; i < gate_call_count; i++)
		if (gate_calls[i].number == number)
			return &gate_calls[i];
	return NULL;
}

const char *gate_verb_word(enum gate_verb verb)
{
	static const char *const words[] = {"delete", "move", "write", "create", "mode", "link", "mount", "connect", "signal", "trace", "hidden", "uring", "identity", "restrict", "bind"};
	return words[verb];
}
