// like curses halfdelay: VTIME=1 reads between the frames of a counter, then "any key" with a still screen
#include <termios.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  struct termios old, t; char c;
  tcgetattr(0, &old); t = old; t.c_lflag &= ~(ICANON | ECHO); t.c_cc[VMIN] = 0; t.c_cc[VTIME] = 1; tcsetattr(0, TCSANOW, &t);
  for (;;) {
    for (int i = 0; i <= 15; i++) { printf("\rscan %3d%%", i * 100 / 15); fflush(stdout); if (read(0, &c, 1) == 1 && c == 'x') goto out; }
    t.c_cc[VMIN] = 1; t.c_cc[VTIME] = 0; tcsetattr(0, TCSANOW, &t);
    say(" finished, any key to scan again"); truth("wait");
    if (read(0, &c, 1) <= 0) break;
    t.c_cc[VMIN] = 0; t.c_cc[VTIME] = 1; tcsetattr(0, TCSANOW, &t);
  }
out:
  tcsetattr(0, TCSANOW, &old); return 0;
}
