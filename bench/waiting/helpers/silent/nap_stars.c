// a password with stars, read without blocking between naps of 30 ms; the key is then derived between the same naps
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static void secret(const char *question) {
  say(question); truth("wait");
  for (;;) {
    char key;
    if (read(0, &key, 1) != 1) { usleep(30000); continue; }
    if (key == '\r' || key == '\n') break;
    say("*"); truth("key");
  }
  say("\r\n");
}
static void derive(int naps) { while (naps--) { burn(5); usleep(30000); } }
int main(void) {
  struct termios old, raw;
  tcgetattr(0, &old); raw = old; cfmakeraw(&raw); tcsetattr(0, TCSANOW, &raw);
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  secret("Master password: "); derive(90);
  secret("Master password again: "); derive(2000);
  tcsetattr(0, TCSANOW, &old);
}
