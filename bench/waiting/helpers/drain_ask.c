// throws away what was typed ahead (tcflush) and only then asks
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  char buf[100];
  say("checking"); for (int i = 0; i < 5; i++) { nap(300); say("."); }
  for (;;) {
    tcflush(0, TCIFLUSH); say("\nType yes to erase everything: "); truth("wait");
    int n = read(0, buf, sizeof buf - 1);
    if (n <= 0) return 0;
    buf[n] = 0; if (strcmp(buf, "yes\n") == 0) { say("erasing"); nap(2500); return 0; }
    say("not yes, looking again"); nap(1100);
  }
}
