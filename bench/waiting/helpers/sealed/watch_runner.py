# a test runner that looks at the files every half second; the tests run in a child, whose result it reads
import os, select, subprocess, sys, termios, tty
from truth import truth

def run(seconds):
    print("\x1b[2J\x1b[Hcollected 3 items\r")
    subprocess.run(["sleep", str(seconds)], stdin=subprocess.DEVNULL)
    print("test_shop.py ...\r\n\r\n3 passed\r\n\r\nWatching for file changes. Press r to rerun, q to quit.\r", flush=True)
    truth()

old = termios.tcgetattr(0)
tty.setraw(0)
try:
    run(3)
    runs = 1
    while True:
        os.stat(__file__)
        if not select.select([0], [], [], 0.5)[0]:
            continue
        key = os.read(0, 1)
        if key in (b"q", b"\x03"):
            break
        if key == b"r":
            runs += 1
            run(3 if runs < 3 else 60)
        truth("key")
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
