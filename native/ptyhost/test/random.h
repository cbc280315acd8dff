/* Random choices of the oracles: the same for the same seed on every machine. */
#ifndef PTYHOST_TEST_RANDOM_H
#define PTYHOST_TEST_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void random_start(uint64_t seed);
size_t below(size_t limit);
bool chance(size_t percent);

/* Ends the program where something holds that must hold for a test to be one. */
void must(bool holds, const char *sentence);

#endif
