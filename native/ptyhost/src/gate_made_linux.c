#include "gate_made.h"

#include "system.h"

#include <stddef.h>
#include <time.h>

enum { FILES_MAX = 1 << 14, SLOTS = 1 << 15, EXPECTED_MAX = 64, EXPECTED_S = 5 };

/* A ring of files, the oldest replaced first, and an open hash table of their numbers in the ring. */
struct file_set {
	struct gate_file files[FILES_MAX];
	unsigned count, next;
	unsigned short slots[SLOTS]; /* 1 + the number, 0 when free */
};
static struct file_set made, linked;

static unsigned slot_of(const struct gate_file *file)
{
	/* File systems give the number of a deleted file to the next one: the birth tells them apart here, too. */
	uint64_t birth = (uint64_t)file->born_s * 1000000000ull + file->born_ns;
	uint64_t mixed = (file->number * 0x9e3779b97f4a7c15ull) ^ (file->device * 0xc2b2ae3d27d4eb4full) ^ (birth * 0x165667b19e3779f9ull);
	return (unsigned)(mixed >> 40) % SLOTS;
}

static bool is_same(const struct gate_file *a, const struct gate_file *b)
{
	return a->number == b->number && a->device == b->device && a->born_s == b->born_s && a->born_ns == b->born_ns;
}

static void put(struct file_set *set, unsigned number)
{
	unsigned slot = slot_of(&set->files[number]);
	while (set->slots[slot])
		slot = (slot + 1) % SLOTS;
	set->slots[slot] = (unsigned short)(number + 1);
}

/* Forgetting leaves a gap, so the chain behind it is put in again. */
static void forget(struct file_set *set, unsigned number)
{
	unsigned slot = slot_of(&set->files[number]);
	while (set->slots[slot] != number + 1)
		slot = (slot + 1) % SLOTS;
	set->slots[slot] = 0;
	for (slot = (slot + 1) % SLOTS; set->slots[slot]; slot = (slot + 1) % SLOTS) {
		unsigned moved = set->slots[slot] - 1u;
		set->slots[slot] = 0;
		put(set, moved);
	}
}

static bool has(const struct file_set *set, const struct gate_file *file)
{
	for (unsigned slot = slot_of(file); set->slots[slot]; slot = (slot + 1) % SLOTS)
		if (is_same(&set->files[set->slots[slot] - 1], file))
			return true;
	return false;
}

static void add(struct file_set *set, const struct gate_file *file)
{
	if (has(set, file))
		return;
	if (set->count == FILES_MAX)
		forget(set, set->next);
	else
		set->count++;
	set->files[set->next] = *file;
	put(set, set->next);
	set->next = (set->next + 1) % FILES_MAX;
}

/* Without a birth a number says nothing: the next file may have it. */
bool gate_made_has(const struct gate_file *file) { return file->has_birth && has(&made, file); }

void gate_made_add(const struct gate_file *file)
{
	if (file->has_birth)
		add(&made, file);
}

bool gate_linked_has(const struct gate_file *file) { return linked.count > 0 && has(&linked, file); }
void gate_linked_add(const struct gate_file *file) { add(&linked, file); }

/* ---- files that are being made ---- */

static struct expected {
	struct gate_place place; /* its folder is open */
	struct timespec since;
} expected[EXPECTED_MAX];
static size_t expected_count;

static void drop(size_t index)
{
	gate_place_close(&expected[index].place);
	expected[index] = expected[--expected_count];
}

void gate_made_expect(struct gate_place *place)
{
	if (expected_count == EXPECTED_MAX)
		drop(0);
	struct expected *next = &expected[expected_count++];
	next->place = *place;
	place->folder = -1;
	/* The kernel notes births by this clock. */
	clock_gettime(CLOCK_REALTIME_COARSE, &next->since);
}

static bool is_born_since(const struct gate_file *file, const struct timespec *since)
{
	return file->has_birth && (file->born_s > since->tv_sec || (file->born_s == since->tv_sec && file->born_ns >= (uint32_t)since->tv_nsec));
}

void gate_made_look(void)
{
	struct timespec now;
	if (!expected_count)
		return;
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	for (size_t i = 0; i < expected_count;) {
		struct gate_file file;
		bool is_there = gate_place_look(&expected[i].place, &file);
		if (is_there && is_born_since(&file, &expected[i].since))
			gate_made_add(&file);
		if (is_there || now.tv_sec - expected[i].since.tv_sec > EXPECTED_S)
			drop(i);
		else
			i++;
	}
}
