/* The layers of a container's file system: lower folders are read-only, and writes go to the layer above. */
#include "container.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

enum { NAME_BYTES = 4096, OPTIONS_BYTES = 4096 }; /* the kernel takes one page of options */

static bool make_folder(char *path, const char *stage, size_t number, const char *name)
{
	int wanted = snprintf(path, NAME_BYTES, "%s/%zu%s", stage, number, name);
	return wanted < NAME_BYTES && (mkdir(path, 0755) == 0 || errno == EEXIST);
}

/* The mode of the uppermost lower folder, which the upper folder must have as well. */
static mode_t mode_of_lower(const char *lowers)
{
	char path[NAME_BYTES];
	size_t length = 0;
	for (const char *at = lowers; *at && *at != ':' && length < sizeof path - 1; at++) {
		if (*at == '\\' && at[1])
			at++;
		path[length++] = *at;
	}
	path[length] = 0;
	struct stat stat_buffer;
	return stat(path, &stat_buffer) == 0 ? stat_buffer.st_mode & 07777 : 0755;
}

/* Uses extended attributes that a user may write. Without them, an existing folder could not be removed and created again. */
static bool mount_overlay(const char *stage, size_t number, const char *lowers)
{
	char folder[NAME_BYTES], upper[NAME_BYTES], work[NAME_BYTES], merged[NAME_BYTES], options[OPTIONS_BYTES];
	if (!make_folder(folder, stage, number, "") || !make_folder(upper, stage, number, "/upper") ||
	    !make_folder(work, stage, number, "/work") || !make_folder(merged, stage, number, "/merged") ||
	    chmod(upper, mode_of_lower(lowers)) < 0)
		return container_complain("the overlay of", lowers);
	/* Temporary data need not be written to disk. Kernels before Linux 5.10 lack the option. */
	static const char *const ways[] = {"userxattr,volatile", "userxattr"};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		int wanted = snprintf(options, sizeof options, "%s,lowerdir=%s,upperdir=%s,workdir=%s", ways[i], lowers, upper, work);
		errno = ENAMETOOLONG;
		if (wanted < (int)sizeof options && mount("overlay", merged, "overlay", MS_NOSUID | MS_NODEV, options) == 0)
			return true;
	}
	return container_complain("the overlay of", lowers);
}

bool container_layers_mount(const struct container_options *options)
{
	/* Mounts made here are not visible outside. */
	if (mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return container_complain("nothing over", "/");
	char size[64];
	snprintf(size, sizeof size, "mode=0700,size=%llu", (unsigned long long)options->stage_bytes);
	if (options->stage_bytes && mount("agentpty", options->stage, "tmpfs", MS_NOSUID | MS_NODEV, size) < 0)
		return container_complain("memory at", options->stage);
	for (size_t i = 0; i < options->overlay_count; i++)
		if (!mount_overlay(options->stage, i, options->overlays[i]))
			return false;
	return true;
}
