#include "bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_MIN = 512, CAPACITY_KEPT = 64 << 10 };

size_t bytes_length(const struct bytes *b) { return b->end - b->start; }

uint8_t *bytes_front(struct bytes *b) { return b->data + b->start; }

uint8_t *bytes_reserve(struct bytes *b, size_t length)
{
	if (b->capacity - b->end >= length && b->data)
		return b->data + b->end;
	size_t used = bytes_length(b);
	bool fits = b->data && b->capacity - used >= length;
	if (fits && b->start >= used) {
		memcpy(b->data, b->data + b->start, used);
	} else {
		size_t capacity = b->capacity ? b->capacity : CAPACITY_MIN;
		while (capacity - used < length) {
			if (capacity > SIZE_MAX / 2)
				return NULL;
			capacity *= 2;
		}
		uint8_t *data = malloc(capacity);
		if (data) {
			if (used)
				memcpy(data, b->data + b->start, used);
			free(b->data);
			b->data = data;
			b->capacity = capacity;
		} else if (fits) {
			memmove(b->data, b->data + b->start, used); /* slower for a long queue, and needs no memory */
		} else {
			return NULL;
		}
	}
	b->start = 0;
	b->end = used;
	return b->data + b->end;
}

void bytes_grow(struct bytes *b, size_t length) { b->end += length; }

bool bytes_keep(struct bytes *b, size_t capacity)
{
	if (!bytes_reserve(b, capacity))
		return false;
	b->kept = b->capacity;
	return true;
}

size_t bytes_spare(struct bytes *b, size_t most, uint8_t **room)
{
	if (b->start > 0 && b->capacity - b->end < most) {
		memmove(b->data, b->data + b->start, bytes_length(b));
		b->end -= b->start;
		b->start = 0;
	}
	*room = b->data + b->end;
	return b->capacity - b->end < most ? b->capacity - b->end : most;
}

/* Shrinking needs no memory. */
static void shrink(struct bytes *b)
{
	uint8_t *smaller = b->kept ? realloc(b->data, b->kept) : NULL;
	if (!smaller) {
		if (!b->kept)
			bytes_free(b);
		return;
	}
	b->data = smaller;
	b->capacity = b->kept;
}

bool bytes_append(struct bytes *b, const void *data, size_t length)
{
	if (length == 0)
		return true;
	uint8_t *room = bytes_reserve(b, length);
	if (!room)
		return false;
	memcpy(room, data, length);
	b->end += length;
	return true;
}

void bytes_consume(struct bytes *b, size_t length)
{
	b->start += length;
	if (b->start < b->end)
		return;
	b->start = b->end = 0;
	if (b->capacity > CAPACITY_KEPT && b->capacity > b->kept)
		shrink(b);
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

void reader_fail(struct reader *r, int problem)
{
	if (!r->bad)
		r->problem = problem;
	r->bad = true;
}

static uint64_t read_number(struct reader *r, size_t size)
{
	if (r->bad || (size_t)(r->end - r->at) < size) {
		reader_fail(r, EBADMSG);
		return 0;
	}
	uint64_t value = 0;
	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)r->at[i] << (8 * i);
	r->at += size;
	return value;
}

uint8_t read_u8(struct reader *r) { return (uint8_t)read_number(r, 1); }
uint16_t read_u16(struct reader *r) { return (uint16_t)read_number(r, 2); }
uint32_t read_u32(struct reader *r) { return (uint32_t)read_number(r, 4); }
uint64_t read_u64(struct reader *r) { return read_number(r, 8); }

const uint8_t *read_blob(struct reader *r, size_t *length)
{
	uint32_t size = read_u32(r);
	if (r->bad || (size_t)(r->end - r->at) < size) {
		reader_fail(r, EBADMSG);
		return NULL;
	}
	const uint8_t *data = r->at;
	r->at += size;
	*length = size;
	return data;
}

char *read_string(struct reader *r)
{
	size_t length = 0;
	const uint8_t *data = read_blob(r, &length);
	if (!data)
		return NULL;
	char *string = memchr(data, 0, length) ? NULL : malloc(length + 1);
	if (!string) {
		reader_fail(r, memchr(data, 0, length) ? EILSEQ : ENOMEM);
		return NULL;
	}
	memcpy(string, data, length);
	string[length] = 0;
	return string;
}

static void write_number(uint8_t **at, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		*(*at)++ = (uint8_t)(value >> (8 * i));
}

void write_u8(uint8_t **at, uint8_t v) { write_number(at, v, 1); }
void write_u16(uint8_t **at, uint16_t v) { write_number(at, v, 2); }
void write_u32(uint8_t **at, uint32_t v) { write_number(at, v, 4); }
void write_u64(uint8_t **at, uint64_t v) { write_number(at, v, 8); }

void write_raw(uint8_t **at, const void *data, size_t length)
{
	if (length)
		memcpy(*at, data, length);
	*at += length;
}
