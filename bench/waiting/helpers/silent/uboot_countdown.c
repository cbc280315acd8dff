// a boot loader in the shape of U-Boot: a countdown that looks for a key every 10 ms, then a prompt that does the same
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static int key(void) { char c; return read(0, &c, 1) == 1 ? c : -1; }
static void boot(void) { say("Loading kernel\r\n"); nap(60000); }
int main(void) {
  struct termios raw;
  tcgetattr(0, &raw); cfmakeraw(&raw); tcsetattr(0, TCSANOW, &raw);
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  say("\r\nDRAM:  512 MiB\r\nNet:   eth0\r\n"); nap(900);
  say("Hit any key to stop autoboot:  9 "); truth("wait");
  int got = -1;
  for (int left = 9; left > 0 && got < 0;) {
    for (int i = 0; i < 100 && (got = key()) < 0; i++) nap(10);
    if (got < 0) { printf("\b\b\b%2d ", --left); fflush(stdout); }
  }
  if (got < 0) boot();
  say("\r\n");
  for (;;) {
    char line[80]; int n = 0, c;
    say("=> "); truth("prompt");
    while ((c = key()) != '\r') {
      if (c < 0) { nap(10); continue; }
      if (n < 79) line[n++] = c;
      printf("%c", c); fflush(stdout);
    }
    line[n] = 0; say("\r\n");
    if (strcmp(line, "boot") == 0) boot();
    if (strcmp(line, "scan") == 0) { nap(3000); say("1 device found\r\n"); }
  }
}
