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
	uint64_t passed_over; /* bytes still to come of a frame that is too long: dropped as they come */
	bool urgent; /* what is queued is worth waking the other side for at once */
	bool gathered; /* what its sessions held back goes out now */
	struct timer hello, deferral, gather;
};

#endif
