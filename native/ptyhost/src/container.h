/*
 * A container: namespaces, a file system and limits that several programs share, and that end as a whole.
 *
 *   ptyhost --containers
 *   ptyhost --enter PID:TICKS OPTION... -- PROGRAM ARG...
 *   ptyhost --sweep PID:TICKS
 *
 * `--containers` makes as many as it is asked for on stdin, and says on stdout what becomes of them: `ready ID PID:TICKS` of process 1 (TICKS tell it
 * from a later process of the same number), `failed ID WHY`, `ended ID` once nothing of it is left. When stdin closes they end, and with
 * them this process. A request is u32 length, u32 id, and the options as words with a NUL after each; without any that container is to end.
 * `--enter` runs one program inside, on the descriptors it is given, and ends as the program does; SIGTERM ends it with its process group.
 * `--sweep` ends every process inside but process 1, and returns when they are gone.
 *
 * Options of the container, in this order where it matters:
 *   --hostname NAME, --network on|off, --memory BYTES, --processes N (all together), --relay SOCKET
 *   --stage FOLDER       of its own; layers are mounted there, and nobody inside sees it
 *   --stage-bytes N      a file system in memory lies over the stage: it is gone with the container
 *   --root-bytes N       of the root, which is in memory, and of /dev/shm
 *   --overlay LOWERS     the n-th one lies in STAGE/n: lower folders, the uppermost first, with : between them
 *   --read FROM TO, --write FROM TO    a file or folder of outside; TO is made
 *   --layer N TO         the n-th overlay
 *   --folder MODE TO, --link TEXT TO
 * Of entering: --cwd FOLDER, and the wall's limits of single processes.
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
	uint64_t stage_bytes; /* 0: the stage lies where it is */
	uint64_t root_bytes;
	const char *overlays[OVERLAYS_MAX];
	size_t overlay_count;
	struct place places[PLACES_MAX];
	size_t place_count;
	bool has_network;
	struct wall_options limits;
};

/* False when they are wrong. */
bool container_options_read(char **argv, struct container_options *);

/* In a process that has its own mounts. Both say what is wrong on stderr. */
bool container_layers_mount(const struct container_options *);
/* The calling process is in the new root then, and nothing of outside is left but what is mounted there. */
bool container_root_enter(const struct container_options *);
/* False with what is wrong on stderr: always false. */
bool container_complain(const char *what, const char *name);

/* Becomes process 1, in its namespaces; `ready` gets a zero byte once it is, and what is wrong goes to stderr. Does not return. */
void container_begin(const struct container_options *, int ready);
/* What that process then runs. */
int container_init_main(int argc, char **argv);
enum { CONTAINER_INIT_DESCRIPTORS = 4 };

/* The calling process joins the container, and so does what it starts; PID namespaces hold only for the latter. */
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
