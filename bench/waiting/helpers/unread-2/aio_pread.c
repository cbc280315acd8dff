// the kernel's own asynchronous I/O, which for a terminal is not asynchronous: io_submit itself waits for the line
#include <linux/aio_abi.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../truth.h"
int main(void) {
  aio_context_t context = 0; char buf[100];
  if (syscall(SYS_io_setup, 4, &context) != 0) return 1;
  nap(900);
  for (;;) {
    struct iocb one; struct iocb *list[1] = {&one}; struct io_event event;
    memset(&one, 0, sizeof one);
    one.aio_lio_opcode = IOCB_CMD_PREAD; one.aio_fildes = 0; one.aio_buf = (uintptr_t)buf; one.aio_nbytes = sizeof buf;
    say("volume> "); truth("wait");
    if (syscall(SYS_io_submit, context, 1, list) != 1) return 1;
    if (syscall(SYS_io_getevents, context, 1, 1, &event, 0) != 1 || event.res <= 0) return 1;
    if (buf[0] == 's') nap(60000);
    if (buf[0] == 'b') burn(1400); else nap(1400);
  }
}
