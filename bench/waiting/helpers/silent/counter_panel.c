// a panel over a thread that indexes: it repaints the count every 100 ms and polls for one key only, the one that ends it
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static atomic_int files, isDone;
static void *indexing(void *time) {
  for (long left = (long)time; left > 0; left -= 20) { burn(8); nap(12); files += 7; }
  isDone = 1;
  return NULL;
}
int main(void) {
  struct termios old, raw;
  tcgetattr(0, &old); raw = old; cfmakeraw(&raw); tcsetattr(0, TCSANOW, &raw);
  say("\033[?1049h\033[2J");
  for (int runs = 0;; runs++) {
    pthread_t worker; char key = 0; int isSaid = 0;
    isDone = 0; files = 0;
    pthread_create(&worker, NULL, indexing, (void *)(runs ? 60000L : 4000L));
    while (key != 'r' || !isDone) {
      int done = isDone;
      printf("\033[H Index of the archive\033[K\r\n\r\n %d files\033[K\r\n\r\n %s\033[K", files, done ? "r again   q quit" : "indexing");
      fflush(stdout);
      if (done && !isSaid) { truth("wait"); isSaid = 1; }
      struct pollfd p = {0, POLLIN, 0};
      key = 0;
      if (poll(&p, 1, 100) == 1 && read(0, &key, 1) != 1) return 0;
      if (key == 'q') { say("\033[?1049l"); tcsetattr(0, TCSANOW, &old); return 0; }
    }
    pthread_join(worker, NULL);
  }
}
