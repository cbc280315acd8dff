/*
 * The wall: what a sandboxed program is started through. It enforces what it is told, and decides nothing.
 *
 *   agentpty-wall OPTION... -- BWRAP ARG... -- PROGRAM ARG...
 *   agentpty-wall --container PID:TICKS OPTION... -- -- PROGRAM ARG...
 *
 * Three processes of this file stand between the keeper and the program. Outside, `wall_main` gives the terminal away, starts bubblewrap,
 * holds the limits that nothing else holds, and ends as the program has ended. Inside, `wall_inside_main` is process 1 of the sandbox: it starts
 * the program in a session of its own on the terminal, as the keeper does outside, and takes with it whatever is left when the program has
 * ended. For an allow-list of the network it starts the relay, which hands connections to a proxy outside through a socket.
 *
 * Of a container (container.h) the walls are there already: `wall_inside_main` enters it instead, and leaves what the program has started.
 *
 * Options: --memory BYTES, --processes N, --cpu-seconds N, --file-size BYTES, --relay SOCKET, --write PATH (as often as needed), --cwd FOLDER.
 */
#ifndef PTYHOST_WALL_H
#define PTYHOST_WALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a session starts to be behind a wall; no file of this name is looked for. */
#define WALL_PROGRAM "agentpty-wall"
/* Process 1 inside, as bubblewrap is told to start it. */
#define WALL_INSIDE "--wall-inside"

/* Where the wall tells the keeper how the start went. */
enum { WALL_START_FD = 3 };
struct wall_start {
	int32_t failure; /* stage << 16 | errno, or 0 */
	int32_t pid;     /* of the program, as it is known outside */
};

/* Prints the version of Landlock that this kernel has, 0 without: for those who say what holds here. */
int wall_print_landlock(int argc, char **argv);

int wall_main(int argc, char **argv);
int wall_inside_main(int argc, char **argv);
enum { WALL_DESCRIPTORS = WALL_START_FD + 1, WALL_INSIDE_DESCRIPTORS = 11 /* up to that of its reports */ };

#endif
