/*
 * The newest bytes of one session's output, addressed by absolute offset.
 *
 * An offset never changes its meaning. Memory grows with the written bytes, in doublings up to the capacity. Beyond it, the
  * oldest bytes are dropped, and `start` tells late readers.
 */
#ifndef PTYHOST_RING_H
#define PTYHOST_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	uint8_t *data;
	size_t size;     /* allocated, a power of two times the first allocation, at most capacity */
	size_t capacity;
	uint64_t start, end;
	bool starved; /* there was no memory to grow when it last should have */
};

/* False without memory for its first bytes. */
bool ring_init(struct ring *, size_t capacity);
/* Without memory to grow, the oldest bytes are dropped earlier. Only a ring without any memory returns false. */
bool ring_append(struct ring *, const uint8_t *data, size_t length);
/* Copies up to `length` bytes from `offset` (not before start); returns how many there were. */
size_t ring_copy(const struct ring *, uint64_t offset, uint8_t *to, size_t length);
void ring_free(struct ring *);

#endif
