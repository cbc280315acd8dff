// a password in raw mode that echoes an asterisk for each key, then a slow check
#include <termios.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  struct termios old, t; char c;
  tcgetattr(0, &old); t = old; t.c_lflag &= ~(ICANON | ECHO); tcsetattr(0, TCSAFLUSH, &t);
  for (int try = 0; try < 3; try++) {
    say("PIN: "); truth("wait");
    while (read(0, &c, 1) == 1 && c != '\r' && c != '\n') say("*");
    nap(1400); say("\nwrong\n");
  }
  tcsetattr(0, TCSANOW, &old); return 0;
}
