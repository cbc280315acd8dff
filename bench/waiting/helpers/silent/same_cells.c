// a queue that is painted every 100 ms, always with the same cells, while it polls for keys; r runs it, and a counter changes meanwhile
#include <poll.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static int chosen;
static void paint(int done) {
  static const char *jobs[] = {"report.pdf", "letter.odt", "photo.png"};
  say("\033[H\033[7m Print queue                    \033[0m\033[K\r\n\r\n");
  for (int i = 0; i < 3; i++) printf(" %s %s\033[K\r\n", i == chosen ? ">" : " ", jobs[i]);
  if (done) printf("\r\n page %d\033[K\r\n\033[K", done); else printf("\r\n\033[K\r\n j next  r print all  q leave\033[K");
  fflush(stdout);
}
int main(void) {
  struct termios old, raw;
  tcgetattr(0, &old); raw = old; cfmakeraw(&raw); tcsetattr(0, TCSANOW, &raw);
  say("\033[?1049h\033[?25l\033[2J"); paint(0); truth("wait");
  for (int runs = 0;;) {
    struct pollfd p = {0, POLLIN, 0};
    char key = 0;
    if (poll(&p, 1, 100) == 1 && read(0, &key, 1) != 1) return 0;
    if (key == 'q') break;
    if (key == 'j') chosen = (chosen + 1) % 3;
    if (key == 'r') { int pages = runs++ ? 600 : 30; for (int i = 1; i <= pages; i++) { paint(i); poll(NULL, 0, 100); } }
    paint(0);
    if (key) truth("wait");
  }
  say("\033[?25h\033[?1049l"); tcsetattr(0, TCSANOW, &old);
}
