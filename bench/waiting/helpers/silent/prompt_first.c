// questions that are printed 170 to 450 ms before the read: the program computes or sleeps in between
#include <unistd.h>
#include "../truth.h"
int main(void) {
  char line[100];
  say("Serial number: "); burn(170); truth("wait"); fgets(line, sizeof line, stdin);
  say("Batch number: "); nap(450); truth("wait"); fgets(line, sizeof line, stdin);
  say("Operator: "); burn(300); truth("wait"); fgets(line, sizeof line, stdin);
  say("Label: "); nap(60000);
}
