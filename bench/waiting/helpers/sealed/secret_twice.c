// a name, a secret without echo, the same secret again with stars, and one key
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static struct termios old;
static void mode(int canonical) {
  struct termios t = old;
  t.c_lflag &= ~(ECHO | (canonical ? 0 : ICANON));
  tcsetattr(0, TCSADRAIN, &t);
}
int main(void) {
  char line[80], key;
  tcgetattr(0, &old);
  say("Account [root]> "); if (!fgets(line, sizeof line, stdin)) return 0;
  for (;;) {
    mode(1); say("Token: "); if (!fgets(line, sizeof line, stdin)) return 0;
    say("\n");
    mode(0); say("Token, once more: ");
    while (read(0, &key, 1) == 1 && key != '\n') say("*");
    say("\n"); nap(3000);
    say("Store it [y/n/q]"); if (read(0, &key, 1) != 1) return 0;
    say("\n"); tcsetattr(0, TCSADRAIN, &old);
    if (key == 'y') nap(60000);
  }
}
