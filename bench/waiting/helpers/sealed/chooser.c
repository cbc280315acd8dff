// a picker below the cursor, drawn on /dev/tty in the shape of fzf; the chosen line goes to standard output
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <stdio.h>
int main(void) {
  char lines[40][40]; int count = 0, at = 0;
  while (count < 40 && fgets(lines[count], 40, stdin)) { lines[count][strcspn(lines[count], "\n")] = 0; count++; }
  int tty = open("/dev/tty", O_RDWR);
  if (tty < 0 || count == 0) return 1;
  struct termios old, raw;
  tcgetattr(tty, &old); raw = old; cfmakeraw(&raw); tcsetattr(tty, TCSADRAIN, &raw);
  for (;;) {
    dprintf(tty, "\r\033[J  %d/%d\r\n", at + 1, count);
    for (int i = 0; i < count; i++) dprintf(tty, "%s %s\r\n", i == at ? "\033[7m>\033[0m" : " ", lines[i]);
    dprintf(tty, "\033[%dA", count + 1);
    char key[8] = {0};
    if (read(tty, key, sizeof key) < 1 || key[0] == '\r' || (key[0] == 27 && key[1] == 0)) break;
    if (!strcmp(key, "\033[B") || !strcmp(key, "\033OB")) at = (at + 1) % count;
  }
  dprintf(tty, "\r\033[J");
  tcsetattr(tty, TCSADRAIN, &old);
  puts(lines[at]);
}
