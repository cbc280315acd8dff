// polls the terminal and a socket for ever; while the far side (a child) is silent it is busy, although the terminal is in the set
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  int s[2]; char buf[200]; socketpair(AF_UNIX, SOCK_STREAM, 0, s);
  if (fork() == 0) { close(s[1]); for (;;) { int n = read(s[0], buf, sizeof buf); if (n <= 0) _exit(0); nap(1500); if (write(s[0], buf, n) < 0) _exit(0); } }
  close(s[0]);
  struct pollfd p[2] = {{0, POLLIN, 0}, {s[1], POLLIN, 0}};
  say("remote> "); truth("wait");
  while (poll(p, 2, -1) > 0) {
    if (p[0].revents) { int n = read(0, buf, sizeof buf); if (n <= 0) return 0; if (write(s[1], buf, n) < 0) return 1; }
    if (p[1].revents) { int n = read(s[1], buf, sizeof buf - 1); if (n <= 0) return 0; buf[n] = 0; printf("answer %sremote> ", buf); fflush(stdout); truth("wait"); }
  }
}
