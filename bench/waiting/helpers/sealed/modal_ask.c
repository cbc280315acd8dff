// modal boxes in the middle of the screen: two with buttons that Tab walks through, and between them one with a gauge
#include <termios.h>
#include <unistd.h>
#include "../truth.h"
static void rows(const char *text, const char *last) {
  printf("\033[2J\033[H File  Edit  Help\r\n");
  printf("\033[12;35H\033[44;37m┌──────────────────────────────────────────┐");
  printf("\033[13;35H│ %-40s │", text);
  printf("\033[14;35H│ %-40s │", "");
  printf("\033[15;35H│ %-40s │", last);
  printf("\033[16;35H└──────────────────────────────────────────┘\033[0m");
}
static void ask(const char *text, const char *yes, const char *no) {
  for (int at = 0;;) {
    char buttons[60], key;
    rows(text, "");
    snprintf(buttons, sizeof buttons, at ? "   %s      \033[7m[%s]\033[27m" : "  \033[7m[%s]\033[27m      %s", yes, no);
    printf("\033[44;37m\033[15;37H%s\033[0m\033[15;%dH", buttons, at ? 50 : 40); fflush(stdout);
    truth("wait");
    if (read(0, &key, 1) != 1 || key == '\r') return;
    if (key == '\t') at = !at;
  }
}
static void gauge(int steps) {
  for (int i = 0; i < steps; i++) {
    rows("Compacting the folder", "");
    printf("\033[44;37m\033[15;37H %d %%\033[0m", i * 100 / steps); fflush(stdout);
    nap(150);
  }
}
int main(void) {
  struct termios old, raw;
  tcgetattr(0, &old); raw = old; cfmakeraw(&raw); tcsetattr(0, TCSANOW, &raw);
  ask("Save the changes to notes.txt?", "OK", "Cancel");
  gauge(20);
  ask("Close the folder, too?", "Yes", "No");
  gauge(500);
  tcsetattr(0, TCSANOW, &old);
}
