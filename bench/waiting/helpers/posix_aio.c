// POSIX aio: the library's thread is in a read of the terminal, the main thread in aio_suspend
// link: -lrt
#include <aio.h>
#include <string.h>
#include <unistd.h>
#include "truth.h"
int main(void) {
  char buf[100]; const struct aiocb *list[1]; struct aiocb cb;
  nap(700);
  for (;;) {
    memset(&cb, 0, sizeof cb); cb.aio_fildes = 0; cb.aio_buf = buf; cb.aio_nbytes = sizeof buf;
    list[0] = &cb; say("aio> "); truth("wait");
    if (aio_read(&cb) != 0) return 1;
    while (aio_suspend(list, 1, 0) != 0) ;
    if (aio_return(&cb) <= 0) return 0;
    burn(buf[0] == 'l' ? 60000 : 1300);
  }
}
