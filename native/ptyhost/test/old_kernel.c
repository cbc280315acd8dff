/*
 * ptyhost as on Linux 5.10, the oldest kernel that its gate works on: linked in front of the C library, so that what came later fails as there.
 * Programs in a terminal have the kernel of this machine. (`make old-kernel`)
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

enum {
	LATER_CALLS = 441,      /* epoll_pwait2, of Linux 5.11, and all that have come since */
	ADDFD_FLAGS = 1,        /* SECCOMP_ADDFD_FLAG_SETFD; the one that also answers is of Linux 5.14 */
	FILTER_FLAGS = 0x1f,    /* one for a wait that only a kill ends is of Linux 5.19 */
	NOTIFY_SET_FLAGS_NR = 4 /* of Linux 6.6 */
};

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);

static int fail(int problem)
{
	errno = problem;
	return -1;
}

long __wrap_syscall(long number, ...)
{
	long arguments[6];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number >= LATER_CALLS)
		return fail(ENOSYS);
	if (number == SYS_seccomp && arguments[0] == SECCOMP_SET_MODE_FILTER && arguments[1] & ~(long)FILTER_FLAGS)
		return fail(EINVAL);
	return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	va_start(list, request);
	void *argument = va_arg(list, void *);
	va_end(list);
	if (_IOC_TYPE(request) == SECCOMP_IOC_MAGIC && _IOC_NR(request) == NOTIFY_SET_FLAGS_NR)
		return fail(EINVAL);
	if (request == SECCOMP_IOCTL_NOTIF_ADDFD && ((const struct seccomp_notif_addfd *)argument)->flags & ~(uint32_t)ADDFD_FLAGS)
		return fail(EINVAL);
	return __real_ioctl(fd, request, argument);
}
