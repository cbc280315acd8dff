// the main thread sits in a canonical read from the start; another thread computes and prints the question when it has one
#include <pthread.h>
#include <unistd.h>
#include "truth.h"
static void *work(void *x) {
  (void)x; burn(1500); say("found 2 of them, keep which? "); truth("wait"); return 0;
}
int main(void) {
  pthread_t t; char buf[100];
  for (;;) {
    pthread_create(&t, 0, work, 0);
    if (read(0, buf, sizeof buf) <= 0) return 0;
    pthread_join(t, 0);
  }
}
