// an old terminal: prints one character every 300 ms, reads raw keys and echoes them itself
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static struct termios old;
static void slow(const char *text) { for (; *text; text++) { if (write(1, text, 1) != 1) return; nap(300); } }
static void restore(void) { tcsetattr(0, TCSANOW, &old); }
int main(void) {
  struct termios raw; char line[100]; int n = 0;
  tcgetattr(0, &old); raw = old; cfmakeraw(&raw); raw.c_oflag |= OPOST;
  tcsetattr(0, TCSANOW, &raw); atexit(restore);
  for (;;) {
    struct pollfd p = {0, POLLIN, 0};
    slow("WIRE? "); truth("wait"); n = 0;
    for (;;) {
      if (poll(&p, 1, -1) != 1 || read(0, line + n, 1) != 1) return 0;
      if (line[n] == '\r') break;
      if (write(1, line + n, 1) != 1) return 0;
      if (n < 98) n++;
    }
    line[n] = 0; say("\n");
    slow(strcmp(line, "STORY") ? "SENT.\n" : "ONCE UPON A TIME THERE WAS A WIRE. WAS IT A LONG ONE? IT WAS.\n");
  }
}
