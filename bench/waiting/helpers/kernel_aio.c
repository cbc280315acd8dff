// the kernel's aio: io_submit queues a poll of the terminal, io_getevents waits for it; a first poll of a pipe stands for work
#include <linux/aio_abi.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "truth.h"
static aio_context_t ctx;
static int wait_for(int fd) {
  struct iocb cb, *list[1] = {&cb}; struct io_event got;
  memset(&cb, 0, sizeof cb); cb.aio_lio_opcode = IOCB_CMD_POLL; cb.aio_fildes = fd; cb.aio_buf = POLLIN;
  return syscall(__NR_io_submit, ctx, 1, list) == 1 && syscall(__NR_io_getevents, ctx, 1, 1, &got, NULL) == 1;
}
static void work(long ms) { int p[2]; char c; if (pipe(p)) return; if (fork() == 0) { nap(ms); _exit(write(p[1], "x", 1) < 0); } wait_for(p[0]); if (read(p[0], &c, 1) < 0) return; close(p[0]); close(p[1]); }
int main(void) {
  char buf[100];
  if (syscall(__NR_io_setup, 4, &ctx) != 0) { say("no aio here\n"); return 1; }
  work(800);
  for (;;) {
    say("kaio> "); truth("wait");
    if (!wait_for(0)) return 1;
    if (read(0, buf, sizeof buf) <= 0) return 0;
    work(buf[0] == 'l' ? 60000 : 1400);
  }
}
