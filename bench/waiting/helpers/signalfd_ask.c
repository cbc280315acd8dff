// a terminal, a signalfd and nothing else in one poll: an interval timer's SIGALRM says when the work is over, SIGINT asks back
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>
#include "truth.h"
static void work(long ms) { struct itimerval t = {{0, 0}, {ms / 1000, ms % 1000 * 1000}}; setitimer(ITIMER_REAL, &t, 0); }
int main(void) {
  sigset_t set; char buf[100]; struct signalfd_siginfo info;
  sigemptyset(&set); sigaddset(&set, SIGALRM); sigaddset(&set, SIGINT); sigprocmask(SIG_BLOCK, &set, 0);
  struct pollfd p[2] = {{signalfd(-1, &set, 0), POLLIN, 0}, {0, POLLIN, 0}};
  say("indexing\n"); work(1200);
  while (poll(p, 2, -1) > 0) {
    if (p[0].revents && read(p[0].fd, &info, sizeof info) == sizeof info) {
      say(info.ssi_signo == SIGINT ? "\nstop the index? " : "index> "); truth(info.ssi_signo == SIGINT ? "stop" : "wait");
    }
    if (p[1].revents) { int n = read(0, buf, sizeof buf); if (n <= 0) return 0; work(buf[0] == 'l' ? 60000 : 1400); }
  }
}
