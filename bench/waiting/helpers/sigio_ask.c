// signal-driven reading: O_ASYNC and sigsuspend; a wait in which no read, poll or select is ever entered
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "truth.h"
static volatile int got;
static void on(int s) { (void)s; got = 1; }
int main(void) {
  sigset_t block, none; char buf[100];
  sigemptyset(&none); sigemptyset(&block); sigaddset(&block, SIGIO); sigprocmask(SIG_BLOCK, &block, 0);
  signal(SIGIO, on); fcntl(0, F_SETOWN, getpid()); fcntl(0, F_SETFL, O_ASYNC | O_NONBLOCK | O_RDWR);
  nap(1000);
  for (;;) {
    got = 0; say("signal me> "); truth("wait");
    int n = -1;
    while ((n = read(0, buf, sizeof buf)) < 0) sigsuspend(&none);
    if (n == 0 || buf[0] == 'q') return 0;
    nap(1500);
  }
}
