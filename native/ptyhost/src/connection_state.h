/* The state of a connection. Only answers.c and the files of connections use it. */
#ifndef PTYHOST_CONNECTION_STATE_H
#define PTYHOST_CONNECTION_STATE_H

#include "bytes.h"
#include "loop.h"

#include <stdbool.h>
#include <stdint.h>

struct connection {
	struct connection *next; /* first: loop_free_later writes here, and the source below must stay readable */
	struct source socket;
	struct bytes in, out;
	bool greeted, finished;
	uint64_t passed_over; /* remaining bytes of an oversized frame, dropped as they arrive */
	bool urgent; /* queued data is worth an immediate wake-up of the other side */
	bool gathered; /* output gathered by its sessions is sent now */
	struct timer hello, deferral, gather;
};

#endif
