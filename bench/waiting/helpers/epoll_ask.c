// one epoll set with the terminal and a timer: the timer works first, then it asks
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "truth.h"
static int timer;
static void work(int ms) { struct itimerspec t = {{0, 0}, {ms / 1000, ms % 1000 * 1000000L}}; timerfd_settime(timer, 0, &t, 0); }
int main(void) {
  int ep = epoll_create1(0); char buf[100]; uint64_t ticks;
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct epoll_event a = {EPOLLIN, {.fd = 0}}, b = {EPOLLIN, {.fd = timer}}, got;
  epoll_ctl(ep, EPOLL_CTL_ADD, 0, &a); epoll_ctl(ep, EPOLL_CTL_ADD, timer, &b);
  say("loading\n"); work(1500);
  while (epoll_wait(ep, &got, 1, -1) == 1) {
    if (got.data.fd == timer) { if (read(timer, &ticks, 8) == 8) { say("order> "); truth("wait"); } }
    else { if (read(0, buf, sizeof buf) <= 0) return 0; work(1200); }
  }
}
