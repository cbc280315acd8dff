// stdin is a pipe full of data; the question goes through /dev/tty
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  char buf[4096]; int tty = open("/dev/tty", O_RDWR), n; long sum = 0;
  while ((n = read(0, buf, sizeof buf)) > 0) sum += n;
  for (;;) {
    dprintf(tty, "read %ld bytes, apply? ", sum); truth("wait");
    n = read(tty, buf, sizeof buf);
    if (n <= 0 || buf[0] == 'q') return 0;
    dprintf(tty, "applying\n"); nap(1500);
  }
}
