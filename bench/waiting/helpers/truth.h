// appends "<CLOCK_MONOTONIC ns> label" to $PHASE_LOG: when the program itself says that its wait begins
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static void truth(const char *label) {
  const char *path = getenv("PHASE_LOG");
  FILE *f = path ? fopen(path, "a") : NULL;
  struct timespec t;
  if (!f) return;
  clock_gettime(CLOCK_MONOTONIC, &t);
  fprintf(f, "%lld %s\n", t.tv_sec * 1000000000LL + t.tv_nsec, label);
  fclose(f);
}
static void say(const char *text) { fputs(text, stdout); fflush(stdout); }
static void nap(long ms) { struct timespec t = {ms / 1000, ms % 1000 * 1000000}; nanosleep(&t, NULL); }
static void burn(long ms) { // computes for this long
  struct timespec a, b; volatile long x = 0;
  clock_gettime(CLOCK_MONOTONIC, &a);
  do { for (int i = 0; i < 10000; i++) x++; clock_gettime(CLOCK_MONOTONIC, &b); } while ((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 < ms);
}
