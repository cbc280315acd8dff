#include "ring.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 4096 };

static void grow(struct ring *, size_t needed);

bool ring_init(struct ring *r, size_t capacity)
{
	*r = (struct ring){.capacity = capacity};
	grow(r, 1);
	return r->size > 0;
}

size_t ring_copy(const struct ring *r, uint64_t offset, uint8_t *to, size_t length)
{
	if (offset < r->start || offset >= r->end)
		return 0;
	if (length > r->end - offset)
		length = (size_t)(r->end - offset);
	size_t at = (size_t)(offset % r->size);
	size_t first = r->size - at < length ? r->size - at : length;
	memcpy(to, r->data + at, first);
	memcpy(to + first, r->data, length - first);
	return length;
}

static void grow(struct ring *r, size_t needed)
{
	size_t size = r->size ? r->size : FIRST_BYTES;
	while (size < needed && size < r->capacity)
		size *= 2;
	if (size > r->capacity)
		size = r->capacity;
	if (size <= r->size)
		return;
	uint8_t *data = malloc(size);
	r->starved = !data;
	if (!data)
		return;
	/* A byte is stored at its offset modulo the size, so every retained byte moves. */
	for (uint64_t offset = r->start; offset < r->end;) {
		size_t at = (size_t)(offset % size);
		offset += ring_copy(r, offset, data + at, size - at);
	}
	free(r->data);
	r->data = data;
	r->size = size;
}

bool ring_append(struct ring *r, const uint8_t *data, size_t length)
{
	if (length == 0)
		return true;
	if (r->end - r->start + length > r->size)
		grow(r, (size_t)(r->end - r->start) + length);
	if (r->size == 0)
		return false;
	if (length > r->size) {
		r->end += length - r->size;
		data += length - r->size;
		length = r->size;
		r->start = r->end;
	}
	size_t at = (size_t)(r->end % r->size);
	size_t first = r->size - at < length ? r->size - at : length;
	memcpy(r->data + at, data, first);
	memcpy(r->data, data + first, length - first);
	r->end += length;
	if (r->end - r->start > r->size)
		r->start = r->end - r->size;
	return true;
}

void ring_free(struct ring *r)
{
	free(r->data);
	*r = (struct ring){0};
}
