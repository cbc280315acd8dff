// a child in the background reads and is stopped by SIGTTIN; only 2 s later the parent gives it the terminal
#define _GNU_SOURCE
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  char buf[100]; int st; pid_t kid = fork();
  signal(SIGTTOU, SIG_IGN);
  if (kid == 0) {
    signal(SIGTTIN, SIG_DFL); setpgid(0, 0); say("background asks: ");
    if (read(0, buf, sizeof buf) <= 0) return 1;
    nap(1200); return 0;
  }
  setpgid(kid, kid); waitpid(kid, &st, WUNTRACED); nap(2000);
  tcsetpgrp(0, kid); truth("wait"); kill(kid, SIGCONT); waitpid(kid, &st, 0);
  tcsetpgrp(0, getpgrp()); say("foreground again: "); truth("wait");
  return read(0, buf, sizeof buf) < 0;
}
