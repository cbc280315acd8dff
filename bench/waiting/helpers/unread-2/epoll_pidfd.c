// an epoll set with the terminal, armed for one event at a time, and the pidfd of the child that does the work
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../truth.h"
static int set;
static void work(long ms) {
  pid_t child = fork();
  if (child == 0) { close(0); if (ms % 2) burn(ms); else nap(ms); _exit(0); }
  struct epoll_event e = {EPOLLIN | EPOLLONESHOT, {.fd = (int)syscall(SYS_pidfd_open, child, 0)}};
  epoll_ctl(set, EPOLL_CTL_ADD, e.data.fd, &e);
}
int main(void) {
  struct epoll_event tty = {EPOLLONESHOT, {.fd = 0}}, got; char buf[100];
  set = epoll_create1(0);
  epoll_ctl(set, EPOLL_CTL_ADD, 0, &tty);
  say("starting a worker\n"); work(1000);
  while (epoll_wait(set, &got, 1, -1) == 1) {
    if (got.data.fd != 0) {
      close(got.data.fd); waitpid(-1, 0, 0);
      say("task> "); truth("wait");
      tty.events = EPOLLIN | EPOLLONESHOT; epoll_ctl(set, EPOLL_CTL_MOD, 0, &tty);
      continue;
    }
    int n = read(0, buf, sizeof buf);
    if (n <= 0) return 0;
    work(buf[0] == 'n' ? 1400 : buf[0] == 'b' ? 1301 : 60000);
  }
}
