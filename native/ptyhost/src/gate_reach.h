/*
 * Calls that act on processes outside the terminal: connections to servers that carry out commands, signals, and debugging. A process is of the terminal
 * when it is below the keeper.
 *
 * Rows of the gate's table name the servers: `server NAME PATH`, with a socket's path. With `*` at its end it stands for all that begin so.
 */
#ifndef PTYHOST_GATE_REACH_H
#define PTYHOST_GATE_REACH_H

#include "gate_trap.h"

#include <stdbool.h>

void gate_reach_read(int table);

/*
 * True for a call that reaches outside. Its `place.shown` then is what persons are asked about, as AREA/REST: `docker/run/docker.sock`, or
 * `node/4711 node server.js` for a process.
 */
bool gate_reaches_out(struct gate_trap *);
/* The same for a file that opens the memory of a process. */
bool gate_reaches_memory(struct gate_trap *);

/* Connects to the server that was judged. The program gets the connection in place of its socket. */
struct gate_result gate_reach_connect(const struct gate_trap *);

#endif
