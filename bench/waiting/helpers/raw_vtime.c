// reads with VMIN=0 VTIME=5 (half a second at a time), also while it has work to do
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  struct termios old, t; char c;
  tcgetattr(0, &old); t = old; cfmakeraw(&t); t.c_oflag |= OPOST; t.c_cc[VMIN] = 0; t.c_cc[VTIME] = 5;
  tcsetattr(0, TCSANOW, &t);
  for (int round = 1; round <= 2; round++) {
    say(round == 1 ? "press a key\n" : "done, another key\n"); truth("wait");
    while (read(0, &c, 1) != 1) ;
    say("working on it\n"); nap(1200);
  }
  tcsetattr(0, TCSANOW, &old); return 0;
}
