// a child asks while the parent waits for it; then the parent works and starts the next child
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  char buf[100];
  for (int i = 1; i <= 3; i++) {
    nap(900);
    if (fork() == 0) { burn(400); printf("child %d asks: ", i); fflush(stdout); truth("wait"); if (read(0, buf, sizeof buf) < 0) return 1; nap(500); return 0; }
    wait(0);
  }
  return 0;
}
