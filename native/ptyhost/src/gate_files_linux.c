#include "gate_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool gate_file_is_judged(int fd, const struct gate_place *place)
{
	struct stat seen;
	uint64_t device = place->file.device;
	return fstat(fd, &seen) == 0 && seen.st_ino == place->file.number && seen.st_dev == makedev(device >> 32, device & 0xffffffff);
}

int gate_file_hold(const struct gate_place *place)
{
	int fd = *place->name ? openat(place->folder, place->name, O_PATH | O_NOFOLLOW | O_CLOEXEC) : fcntl(place->folder, F_DUPFD_CLOEXEC, 0);
	if (fd < 0 || gate_file_is_judged(fd, place))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}
