/*
 * The wall: the launcher of sandboxed programs. It enforces its options and decides nothing.
 *
 *   agentpty-wall OPTION... -- BWRAP ARG... -- PROGRAM ARG...
 *   agentpty-wall --container PID:TICKS OPTION... -- -- PROGRAM ARG...
 *
 * Three processes of this file are between the keeper and the program. Outside, `wall_main` hands over the terminal, starts bubblewrap,
  * enforces the remaining limits, and ends like the program. Inside, `wall_inside_main` is process 1 of the sandbox. It starts the program in its own
  * session on the terminal, as the keeper does outside, and ends all remaining processes after the program. For a network allow-list it starts the
  * relay, which passes connections to a proxy outside through a socket.
 *
 * A container (container.h) has its walls already: `wall_inside_main` enters it instead, and leaves the program's own processes alone.
 *
 * Options: --memory BYTES, --processes N, --cpu-seconds N, --file-size BYTES, --relay SOCKET, --write PATH (as often as needed), --cwd FOLDER.
 */
#ifndef PTYHOST_WALL_H
#define PTYHOST_WALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The program name that starts a wall, and that of one whose program has a gate; no files of these names are needed. */
#define WALL_PROGRAM "agentpty-wall"
#define WALL_GATED_PROGRAM "agentpty-gated-wall"
/* The argument with which bubblewrap starts process 1 inside, without and with a gate. */
#define WALL_INSIDE "--wall-inside"
#define WALL_GATED_INSIDE "--gated-wall-inside"

/* The descriptors on which the wall reports the start to the keeper, and on which the program passes the listener of its gate. */
enum { WALL_START_FD = 3, WALL_GATE_FD = 4 };
struct wall_start {
	int32_t failure; /* stage << 16 | errno, or 0 */
	int32_t pid;     /* of the program, as it is known outside */
};

/* Prints the Landlock version of this kernel, 0 without. */
int wall_print_landlock(int argc, char **argv);

int wall_main(int argc, char **argv);
int wall_inside_main(int argc, char **argv);
enum { WALL_DESCRIPTORS = WALL_START_FD + 1, WALL_GATED_DESCRIPTORS = WALL_GATE_FD + 1, WALL_INSIDE_DESCRIPTORS = 11 /* up to that of its reports */ };

#endif
