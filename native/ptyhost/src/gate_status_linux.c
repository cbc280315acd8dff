#include "gate_status.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif

enum { BASIC = 0x7ff, BIRTH = 0x800, MOUNT = 0x1000, UNIQUE_MOUNT = 0x4000 };

struct timestamp {
	int64_t s;
	uint32_t ns;
	int32_t unused;
};

/* The structure that the kernel writes, the same on every processor. */
struct kernel_status {
	uint32_t mask, block_size;
	uint64_t attributes;
	uint32_t links, user, group;
	uint16_t mode, unused;
	uint64_t number, size, blocks, attributes_mask;
	struct timestamp read, born, changed, written;
	uint32_t special_major, special_minor, device_major, device_minor;
	uint64_t mount, later[13];
};
_Static_assert(sizeof(struct kernel_status) == 256, "the size of the kernel's structure");

bool gate_status_of(int folder, const char *name, struct gate_status *status)
{
	struct kernel_status seen;
	int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name ? 0 : AT_EMPTY_PATH);
	if (syscall(SYS_statx, folder, name, flags, BASIC | BIRTH | MOUNT, &seen) < 0)
		return false;
	*status = (struct gate_status){
		.file = {
			.device = (uint64_t)seen.device_major << 32 | seen.device_minor,
			.number = seen.number,
			.has_birth = seen.mask & BIRTH,
			.born_s = seen.born.s,
			.born_ns = seen.born.ns,
		},
		.mount = seen.mask & MOUNT ? seen.mount : 0,
		.size = seen.size,
		.links = seen.links,
		.mode = seen.mode,
	};
	return true;
}

uint64_t gate_status_unique_mount(int fd)
{
	struct kernel_status seen;
	bool is_read = syscall(SYS_statx, fd, "", AT_EMPTY_PATH, UNIQUE_MOUNT, &seen) == 0 && seen.mask & UNIQUE_MOUNT;
	return is_read ? seen.mount : 0;
}
