/* Growable byte queues, and reads and writes of little-endian fields in them. */
#ifndef PTYHOST_BYTES_H
#define PTYHOST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A queue of bytes: appended at the end, consumed at the front. */
struct bytes {
	uint8_t *data;
	size_t start, end, capacity;
	size_t kept; /* bytes of its memory that are never freed, so that it works without further memory */
};

size_t bytes_length(const struct bytes *);
uint8_t *bytes_front(struct bytes *);
/* False without memory; the queue is then unchanged. */
bool bytes_append(struct bytes *, const void *data, size_t length);
/* Reserves `length` more bytes at the end, or NULL. Written bytes are added with bytes_grow. */
uint8_t *bytes_reserve(struct bytes *, size_t length);
void bytes_grow(struct bytes *, size_t length);
/* Gives an empty queue at least `capacity` bytes of memory at all times. False: there is no memory. */
bool bytes_keep(struct bytes *, size_t capacity);
/* Returns the free space in the existing memory, at most `most` bytes. */
size_t bytes_spare(struct bytes *, size_t most, uint8_t **room);
/* Frees memory once the queue is empty, so that one burst does not occupy memory forever. */
void bytes_consume(struct bytes *, size_t length);
void bytes_free(struct bytes *);

/* Reads fields of a payload. Past its end every read returns zero and sets `bad`; the caller checks once, at the end. */
struct reader {
	const uint8_t *at, *end;
	bool bad;
	int problem; /* the reason: EBADMSG truncated, EILSEQ a NUL in a string, ENOMEM */
};

/* Makes every further read fail; the first problem stays. */
void reader_fail(struct reader *, int problem);

uint8_t read_u8(struct reader *);
uint16_t read_u16(struct reader *);
uint32_t read_u32(struct reader *);
uint64_t read_u64(struct reader *);
/* Returns a blob's bytes inside the payload; NULL when bad. */
const uint8_t *read_blob(struct reader *, size_t *length);
/* Returns a blob as a new C string; NULL when bad: truncated, without memory, or with a NUL in it. */
char *read_string(struct reader *);

/* Writes one field at `*at` and advances it. */
void write_u8(uint8_t **at, uint8_t);
void write_u16(uint8_t **at, uint16_t);
void write_u32(uint8_t **at, uint32_t);
void write_u64(uint8_t **at, uint64_t);
void write_raw(uint8_t **at, const void *data, size_t length);

#endif
