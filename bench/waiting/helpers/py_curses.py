# curses with getch in halfdelay while a bar moves, then a blocking getch, then getstr with echo
import curses, time
from truth import truth

def main(w):
    while True:
        curses.halfdelay(1)
        for i in range(15):
            w.addstr(0, 0, "#" * i + " loading")
            w.clrtoeol()
            w.refresh()
            w.getch()
        curses.nocbreak()
        curses.cbreak()
        w.addstr(2, 0, "press any key")
        w.refresh()
        truth()
        w.getch()
        time.sleep(1)
        curses.echo()
        w.addstr(4, 0, "name: ")
        w.refresh()
        truth()
        w.getstr()
        curses.noecho()
        w.clear()
curses.wrapper(main)
