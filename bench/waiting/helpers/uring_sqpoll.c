// io_uring whose submissions a kernel thread picks up; the program itself waits in a poll of an eventfd that the ring rings
#include <linux/io_uring.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  struct io_uring_params p; memset(&p, 0, sizeof p); p.flags = IORING_SETUP_SQPOLL; p.sq_thread_idle = 50;
  int fd = syscall(__NR_io_uring_setup, 4, &p), bell = eventfd(0, 0); char buf[100]; uint64_t rings;
  if (fd < 0) { say("no io_uring here\n"); return 1; }
  syscall(__NR_io_uring_register, fd, IORING_REGISTER_EVENTFD, &bell, 1);
  char *sq = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
  char *cq = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_CQ_RING);
  struct io_uring_sqe *sqe = mmap(0, p.sq_entries * sizeof *sqe, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
  nap(800);
  for (;;) {
    unsigned *tail = (unsigned *)(sq + p.sq_off.tail), mask = *(unsigned *)(sq + p.sq_off.ring_mask), i = *tail & mask;
    memset(&sqe[i], 0, sizeof *sqe);
    sqe[i].opcode = IORING_OP_READ; sqe[i].fd = 0; sqe[i].addr = (unsigned long)buf; sqe[i].len = sizeof buf - 1; sqe[i].off = -1;
    say("sq> ");
    ((unsigned *)(sq + p.sq_off.array))[i] = i; __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE); __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n((unsigned *)(sq + p.sq_off.flags), __ATOMIC_ACQUIRE) & IORING_SQ_NEED_WAKEUP) syscall(__NR_io_uring_enter, fd, 0, 0, IORING_ENTER_SQ_WAKEUP, 0, 0);
    truth("wait");
    struct pollfd b = {bell, POLLIN, 0};
    if (poll(&b, 1, -1) != 1 || read(bell, &rings, 8) != 8) return 1;
    unsigned *head = (unsigned *)(cq + p.cq_off.head);
    struct io_uring_cqe *c = (struct io_uring_cqe *)(cq + p.cq_off.cqes) + (*head & *(unsigned *)(cq + p.cq_off.ring_mask));
    int n = c->res; __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    if (n <= 0) return 0;
    nap(buf[0] == 'l' ? 60000 : 1300);
  }
}
