// reads without blocking and sleeps 20 ms between tries: there is never a blocking call on the terminal
#include <fcntl.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  char buf[100]; fcntl(0, F_SETFL, O_RDWR | O_NONBLOCK);
  nap(1000); say("poll loop> "); truth("wait");
  for (;;) {
    int n = read(0, buf, sizeof buf);
    if (n == 0) return 0;
    if (n < 0) { nap(20); continue; }
    burn(1200); say("poll loop> "); truth("wait");
  }
}
