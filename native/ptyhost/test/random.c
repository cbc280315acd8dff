#include "random.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

void random_start(uint64_t seed) { state = seed * 0x9e3779b97f4a7c15ull + 1; }

/* xorshift. */
size_t below(size_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % limit);
}

bool chance(size_t percent) { return below(100) < percent; }

void must(bool holds, const char *sentence)
{
	if (holds)
		return;
	perror(sentence);
	exit(2);
}
