/* One thread that waits for descriptors to become ready, for timers and for signals. */
#ifndef PTYHOST_LOOP_H
#define PTYHOST_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A descriptor with its handler; embedded in what it belongs to. */
struct source {
	int fd;
	uint32_t events; /* POLL* currently asked for; 0: not registered */
	void (*ready)(struct source *, uint32_t events);
};

/* Runs once at or after `at` (nanoseconds, monotonic). */
struct timer {
	uint64_t at;
	void (*fire)(struct timer *);
	struct timer *next, **link; /* link is NULL while not armed */
};

#define CONTAINER(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

bool loop_init(void);
uint64_t loop_now(void);
/* Changes the watched events; 0 removes the descriptor. False when the kernel refuses. */
bool loop_watch(struct source *, uint32_t events);
/* Makes these signals call `caught` and do nothing else. Programs started later must reset them. */
bool loop_catch_signals(const int *numbers, size_t count, void (*caught)(int));
void timer_arm(struct timer *, uint64_t at);
void timer_disarm(struct timer *);
/* Frees an object whose source may still be in the current batch: after the batch. Its first word is used until then, so it
 * must not contain the source. */
void loop_free_later(void *);
/* Runs until `go_on` returns false; calls `after_batch` after each round of events. */
void loop_run(bool (*go_on)(void), void (*after_batch)(void));

#endif
