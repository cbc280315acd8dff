// to be run inside a debugger: works a second, asks, works, asks
#include <unistd.h>
#include "truth.h"
int main(void) {
  char buf[100];
  nap(1000);
  for (;;) {
    say("number: "); truth("wait");
    if (read(0, buf, sizeof buf) <= 0) return 0;
    burn(1500);
  }
}
