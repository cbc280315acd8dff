# blessed: keys in cbreak mode, read with a timeout of 0.2 s while a clock is drawn, then without a clock
import time
from blessed import Terminal
from truth import truth

t = Terminal()
with t.fullscreen(), t.cbreak(), t.hidden_cursor():
    for i in range(8):
        print(t.move_xy(0, 0) + f"starting {i}", end="", flush=True)
        t.inkey(timeout=0.2)
    print(t.move_xy(0, 2) + "press a key", end="", flush=True)
    truth()
    t.inkey()
    time.sleep(1.3)
    print(t.move_xy(0, 4) + "another key", end="", flush=True)
    truth()
    t.inkey()
    time.sleep(3)
