// select on the terminal with a timeout of 100 ms, while a clock in the corner of its eye runs
#include <sys/select.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  char line[100];
  nap(800); say("name? "); truth("wait");
  for (;;) {
    fd_set r; FD_ZERO(&r); FD_SET(0, &r);
    struct timeval tv = {0, 100000};
    if (select(1, &r, 0, 0, &tv) != 1) continue;
    int n = read(0, line, sizeof line - 1);
    if (n <= 0) return 0;
    line[n] = 0; burn(1500); printf("hello %snext name? ", line); fflush(stdout); truth("wait");
  }
}
