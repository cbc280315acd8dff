/* Landlock by its numbers: the headers of our build systems are older than the kernels that this runs on. */
#include "wall_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, VERSION_FLAG = 1, RULE_PATH_BENEATH = 1 };

/* Version 1: writing a file, removing (2) and creating (7) entries. 2: moving between folders. 3: truncating a file. */
static const uint64_t write_file = 1u << 1, make_and_remove = 0x1ff0, refer = 1u << 13, truncate_file = 1u << 14;
/* Version 6: abstract sockets and signals. */
static const uint64_t scopes = 3;

struct ruleset { uint64_t files, network, scoped; };
struct beneath { uint64_t allowed; int32_t parent; } __attribute__((packed));

int wall_landlock_version(void)
{
	long version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
	return version < 0 ? 0 : (int)version;
}

int wall_print_landlock(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("%d\n", wall_landlock_version());
	return 0;
}

static void allow(int ruleset, int fd, uint64_t rights)
{
	struct stat stat;
	if (fd < 0 || fstat(fd, &stat) < 0)
		return;
	struct beneath rule = {.allowed = S_ISDIR(stat.st_mode) ? rights : rights & (write_file | truncate_file), .parent = fd};
	syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0);
}

void wall_landlock(const struct wall_options *options)
{
	int version = wall_landlock_version();
	if (version == 0)
		return;
	uint64_t rights = write_file | make_and_remove | (version >= 2 ? refer : 0) | (version >= 3 ? truncate_file : 0);
	struct ruleset set = {.files = rights, .scoped = version >= 6 ? scopes : 0};
	size_t size = version >= 6 ? sizeof set : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
	int ruleset = (int)syscall(CREATE_RULESET, &set, size, 0);
	if (ruleset < 0)
		return;
	for (size_t i = 0; i + 1 < options->count; i += 2) {
		if (strcmp(options->argv[i], "--write") != 0)
			continue;
		int fd = open(options->argv[i + 1], O_PATH | O_CLOEXEC);
		allow(ruleset, fd, rights);
		if (fd >= 0)
			close(fd);
	}
	/* The terminal is in a folder from outside and is opened again by its path: /dev/stderr. */
	allow(ruleset, STDIN_FILENO, rights);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(RESTRICT_SELF, ruleset, 0);
	close(ruleset);
}
