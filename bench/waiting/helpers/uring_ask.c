// io_uring without a library: a READ of the terminal is queued; the ring is entered to wait for it
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  struct io_uring_params p; memset(&p, 0, sizeof p);
  int fd = syscall(__NR_io_uring_setup, 4, &p); char buf[100];
  if (fd < 0) { say("no io_uring here\n"); return 1; }
  char *sq = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
  char *cq = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_CQ_RING);
  struct io_uring_sqe *sqe = mmap(0, p.sq_entries * sizeof *sqe, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
  nap(900);
  for (;;) {
    unsigned *tail = (unsigned *)(sq + p.sq_off.tail), mask = *(unsigned *)(sq + p.sq_off.ring_mask), i = *tail & mask;
    memset(&sqe[i], 0, sizeof *sqe);
    sqe[i].opcode = IORING_OP_READ; sqe[i].fd = 0; sqe[i].addr = (unsigned long)buf; sqe[i].len = sizeof buf - 1; sqe[i].off = -1;
    ((unsigned *)(sq + p.sq_off.array))[i] = i; __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    say("ring> "); truth("wait");
    syscall(__NR_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
    unsigned *head = (unsigned *)(cq + p.cq_off.head);
    struct io_uring_cqe *c = (struct io_uring_cqe *)(cq + p.cq_off.cqes) + (*head & *(unsigned *)(cq + p.cq_off.ring_mask));
    int n = c->res; __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    if (n <= 0) return 0;
    nap(1300);
  }
}
