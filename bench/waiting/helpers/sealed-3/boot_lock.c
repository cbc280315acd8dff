// a boot console: a countdown that a key stops, a menu of one key, a pass code in dots, and a long check that reads no key
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static struct termios cooked, raw;
static int key(int ms) {
  struct pollfd p = {0, POLLIN, 0};
  char c;
  if (poll(&p, 1, ms) <= 0) return -1;
  if (read(0, &c, 1) != 1) exit(1);
  return c;
}
static int countdown(void) {
  truth("countdown");
  for (int left = 90; left > 0; left--) {
    printf("\rStarting the normal system in %2d s, press a key for the menu ", left);
    fflush(stdout);
    int c = key(1000);
    if (c >= 0) return c;
  }
  return 'b';
}
static void code(void) {
  say("\r\nUnlock code: ");
  truth("code");
  while (key(-1) != '\r') say("•");
  say("\r\nChecking the code ");
  burn(1700);
}
int main(void) {
  tcgetattr(0, &cooked);
  raw = cooked;
  cfmakeraw(&raw);
  tcsetattr(0, TCSANOW, &raw);
  countdown();
  for (;;) {
    say("\r\n[m]emory test  [c]ode  [s]hell-less console  [b]oot\r\nPress one of m, c, s, b: ");
    truth("menu");
    switch (key(-1)) {
    case 'c': code(); say("accepted"); break;
    case 'm':
      for (int done = 0; done <= 100; done += 4) { printf("\r\033[Kmemory %3d %%  (any key is ignored) ", done); fflush(stdout); nap(250); }
      break;
    case 's':
      tcsetattr(0, TCSANOW, &cooked);
      say("\r\nnvram> ");
      truth("console");
      char line[80];
      while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) { nap(1200); printf("%.*s = 1\nnvram> ", (int)strcspn(line, "\n"), line); fflush(stdout); truth("console"); }
      tcsetattr(0, TCSANOW, &raw);
      break;
    default: say("\r\nbooting, press nothing? [y/n]: "); nap(60000); return 0;
    }
  }
}
