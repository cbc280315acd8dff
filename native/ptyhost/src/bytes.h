/* Growable byte queues, and reading and writing little-endian fields in them. */
#ifndef PTYHOST_BYTES_H
#define PTYHOST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A queue of bytes: appended at the end, consumed at the front. */
struct bytes {
	uint8_t *data;
	size_t start, end, capacity;
	size_t kept; /* bytes of its memory that are never given back: without memory for more it still works */
};

size_t bytes_length(const struct bytes *);
uint8_t *bytes_front(struct bytes *);
/* False when there is no memory; the queue is then unchanged. */
bool bytes_append(struct bytes *, const void *data, size_t length);
/* Room for `length` more bytes at the end, or NULL; what was written there is claimed with bytes_grow. */
uint8_t *bytes_reserve(struct bytes *, size_t length);
void bytes_grow(struct bytes *, size_t length);
/* From now on the queue, which must be empty, has `capacity` bytes of memory at all times. False: there is no memory. */
bool bytes_keep(struct bytes *, size_t capacity);
/* Room for as much as fits the memory that is there, at most `most`; how much is returned. */
size_t bytes_spare(struct bytes *, size_t most, uint8_t **room);
/* Gives memory back once the queue runs empty: one burst must not hold memory from then on. */
void bytes_consume(struct bytes *, size_t length);
void bytes_free(struct bytes *);

/* Reads fields off a payload. Past its end every read gives zero and sets `bad`; the caller checks once, at the end. */
struct reader {
	const uint8_t *at, *end;
	bool bad;
	int problem; /* why: EBADMSG cut short, EILSEQ a NUL in a string, ENOMEM */
};

/* Nothing after this can be read; the first problem stays. */
void reader_fail(struct reader *, int problem);

uint8_t read_u8(struct reader *);
uint16_t read_u16(struct reader *);
uint32_t read_u32(struct reader *);
uint64_t read_u64(struct reader *);
/* A blob's bytes inside the payload; NULL when bad. */
const uint8_t *read_blob(struct reader *, size_t *length);
/* A blob as a fresh C string; NULL when bad: cut short, out of memory, or with a NUL in it. */
char *read_string(struct reader *);

/* Writes one field at `*at` and moves it on. */
void write_u8(uint8_t **at, uint8_t);
void write_u16(uint8_t **at, uint16_t);
void write_u32(uint8_t **at, uint32_t);
void write_u64(uint8_t **at, uint64_t);
void write_raw(uint8_t **at, const void *data, size_t length);

#endif
