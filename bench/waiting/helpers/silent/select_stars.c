// a password with stars behind a select of 50 ms; while it unlocks, it sleeps in a select of nothing
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static int tick(int fds) {
  fd_set r; FD_ZERO(&r); FD_SET(0, &r);
  struct timeval tv = {0, 50000};
  return select(fds, fds ? &r : NULL, NULL, NULL, &tv);
}
static void secret(const char *question) {
  say(question); truth("wait");
  for (;;) {
    char key;
    if (tick(1) != 1) continue;
    if (read(0, &key, 1) != 1 || key == '\r' || key == '\n') break;
    say("*"); truth("key");
  }
  say("\r\n");
}
int main(void) {
  struct termios old, raw;
  tcgetattr(0, &old); raw = old; cfmakeraw(&raw); tcsetattr(0, TCSANOW, &raw);
  secret("PIN of the card: "); for (int i = 0; i < 66; i++) tick(0);
  secret("New PIN: "); for (int i = 0; i < 1200; i++) tick(0);
  tcsetattr(0, TCSANOW, &old);
}
