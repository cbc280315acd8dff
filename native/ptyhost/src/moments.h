/*
 * The times of output: the wall time of the first byte of each batch, so that a later owner knows it too.
 *
 * Batches closer together than a gap become one moment. A full list drops the moments of bytes that the ring has lost. If
  * there are none, it drops every second one and doubles its gap.
 */
#ifndef PTYHOST_MOMENTS_H
#define PTYHOST_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moment {
	uint64_t offset, at; /* at: milliseconds since 1970 */
};

struct moments {
	struct moment *list;
	size_t count, size;
	uint64_t gap; /* ms */
};

/* Adds the arrival time of the byte at `offset`; `start` is the oldest byte of the ring. `always`: even if it is close to the
 * last one. Without memory, the last moment counts for it as well. */
void moments_add(struct moments *, struct moment, uint64_t start, bool always);
void moments_free(struct moments *);

#endif
