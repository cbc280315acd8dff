/*
 * A container: namespaces, a file system and limits shared by several programs, which end as a whole.
 *
 *   ptyhost --containers
 *   ptyhost --enter PID:TICKS OPTION... -- PROGRAM ARG...
 *   ptyhost --sweep PID:TICKS
 *
 * `--containers` makes containers on request from stdin, and reports on stdout: `ready ID PID:TICKS` for process 1 (TICKS distinguish it
  * from a later process of the same number), `failed ID WHY`, and `ended ID` once no process of it is left. When stdin closes, the containers and
  * this process end. A request is u32 length, u32 id, and the options as words with a NUL after each. Without options it ends that container.
 * `--enter` runs one program inside, with the descriptors of the caller, and ends as the program does. SIGTERM ends it with its process group.
 * `--sweep` ends every process inside but process 1, and returns when they have ended.
 *
 * Options of the container, in this order where the order matters:
 *   --hostname NAME, --network on|off, --memory BYTES, --processes N (all together), --relay SOCKET
 *   --stage FOLDER       its own folder; layers are mounted there, invisible from inside
 *   --stage-bytes N      mounts a file system in memory over the stage, which ends with the container
 *   --root-bytes N       size of the root, which is in memory, and of /dev/shm
 *   --overlay LOWERS     the n-th overlay, mounted in STAGE/n: lower folders, uppermost first, separated by :
 *   --read FROM TO, --write FROM TO    a file or folder from outside; TO is created
 *   --layer N TO         the n-th overlay
 *   --folder MODE TO, --link TEXT TO
 * Options of entering: --cwd FOLDER, and the wall's limits of single processes.
 */
#ifndef PTYHOST_CONTAINER_H
#define PTYHOST_CONTAINER_H

#include "wall_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CONTAINER_INIT "--container-init"
#define CONTAINER_INIT_NAME "agentpty-init"

enum { OVERLAYS_MAX = 32, PLACES_MAX = 128 };

enum place_kind { PLACE_READ, PLACE_WRITE, PLACE_LAYER, PLACE_FOLDER, PLACE_LINK };
struct place {
	enum place_kind kind;
	const char *what, *to;
};

struct container_options {
	const char *stage, *hostname;
	uint64_t stage_bytes; /* 0: the stage is not in memory */
	uint64_t root_bytes;
	const char *overlays[OVERLAYS_MAX];
	size_t overlay_count;
	struct place places[PLACES_MAX];
	size_t place_count;
	bool has_network;
	struct wall_options limits;
};

/* False when they are invalid. */
bool container_options_read(char **argv, struct container_options *);

/* For a process that has its own mounts. Both report errors on stderr. */
bool container_layers_mount(const struct container_options *);
/* Afterwards, the calling process is in the new root and sees nothing of the outside but its mounts. */
bool container_root_enter(const struct container_options *);
/* Reports an error on stderr; always returns false. */
bool container_complain(const char *what, const char *name);

/* Becomes process 1 in its namespaces. `ready` receives a zero byte then; errors go to stderr. Does not return. */
void container_begin(const struct container_options *, int ready);
/* The program of that process. */
int container_init_main(int argc, char **argv);
enum { CONTAINER_INIT_DESCRIPTORS = 4 };

/* The calling process and its children join the container; PID namespaces apply to the children only. */
bool container_join(const char *address);
/*
 * Drops what the process must not have inside: rights in the container's namespaces, calls that the wall refuses, and the descriptors from
 * `first_closed` on, which may be files of the host.
 */
bool container_confine(int first_closed);

int containers_main(int argc, char **argv);
int container_enter_main(int argc, char **argv);
int container_sweep_main(int argc, char **argv);

#endif
