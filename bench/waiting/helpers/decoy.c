// prints what looks like a prompt and keeps working, in the way that argv[1] names, before it truly asks
#include <string.h>
#include <unistd.h>
#include "truth.h"
int main(int argc, char **argv) {
  char buf[100]; const char *how = argc > 1 ? argv[1] : "sleep";
  const char *fake[] = {"Overwrite file? [y/N] ", "\nPassword: ", "\nroot@prod:~# "};
  for (int i = 0; i < 3; i++) { say(fake[i]); if (!strcmp(how, "cpu")) burn(1000); else nap(1000); }
  say("\nnow really, go on? "); truth("wait");
  if (read(0, buf, sizeof buf) <= 0) return 0;
  say("answered: "); if (!strcmp(how, "cpu")) burn(1500); else nap(1500);
  say("\nonce more? "); truth("wait");
  return read(0, buf, sizeof buf) < 0;
}
