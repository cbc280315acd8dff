// computes and checks every 40 ms, without waiting, whether a q was typed; then asks what to do with the result
#include <poll.h>
#include <termios.h>
#include <unistd.h>
#include "truth.h"
static struct termios cooked;
static void mode(int raw) {
  struct termios t = cooked;
  if (raw) t.c_lflag &= ~(ICANON | ECHO);
  tcsetattr(0, TCSANOW, &t);
}
int main(void) {
  char buf[100]; tcgetattr(0, &cooked);
  for (;;) {
    say("searching, press q to stop\n"); mode(1);
    for (int i = 0; i < 50; i++) {
      struct pollfd p = {0, POLLIN, 0};
      if (poll(&p, 1, 0) == 1 && read(0, buf, 1) == 1 && buf[0] == 'q') return 0;
      printf("\r%d nodes", i * 1000); fflush(stdout); burn(40);
    }
    mode(0); say("\nKeep the result? [y/n] "); truth("wait");
    if (read(0, buf, sizeof buf) <= 0) return 0;
  }
}
