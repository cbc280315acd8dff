// keys fill a meter; later the program draws a meter itself while it mixes, and reads a PIN into a box
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static char input[256];
static void fill(int width, const char *star) {
  printf("[%*s]\r[", width, "");
  fflush(stdout);
  truth("keys");
  for (int at = 0; at < width;) {
    long got = read(0, input, sizeof input);
    if (got <= 0) exit(1);
    for (long i = 0; i < got && at < width; i++, at++) say(star);
  }
  say("]\r\n");
}
int main(void) {
  struct termios cooked, raw;
  tcgetattr(0, &cooked);
  raw = cooked;
  raw.c_lflag &= ~(ICANON | ECHO);
  tcsetattr(0, TCSANOW, &raw);
  say("Type anything until the meter is full.\r\n\r\n");
  fill(30, "#");
  say("Mixing:\r\n");
  for (int done = 0; done <= 8; done++) { printf("\r[%-*.*s]\r[%.*s", 8, done, "########", done, "########"); fflush(stdout); nap(220); }
  say("\r\nNew PIN of four digits\r\n");
  fill(4, "*");
  say("Writing the key\r\n[    ]\r[");
  nap(60000);
  return 0;
}
