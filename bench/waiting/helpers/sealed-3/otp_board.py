# a one-time code under a clock that is drawn every second; the code is read key by key, and a wrong one costs a silent second and a half
import os, select, sys, termios, time, tty

from truth import truth

old = termios.tcgetattr(0)

def draw(left, code, note):
    sys.stdout.write(f"\033[2J\033[H Sign in\n\r\n\r Code from your phone: {'•' * len(code)}\n\r\n\r {note}\n\r valid for {left:2d} s \033[3;{24 + len(code)}H")
    sys.stdout.flush()

def ask(note):
    code = ""
    end = time.monotonic() + 99
    truth()
    while True:
        draw(int(end - time.monotonic()), code, note)
        ready, _, _ = select.select([0], [], [], 1)
        if not ready:
            continue
        for key in os.read(0, 64).decode():
            if key in "\r\n":
                return code
            code += key

try:
    tty.setraw(0)
    note = "six digits, then Enter"
    while ask(note) != "123456":
        time.sleep(1.5)
        note = "That code is wrong, once more"
    for step in range(20):
        draw(20 - step, "123456", f"Signing you in, step {step} of 20")
        time.sleep(0.25)
    sys.stdout.write("\033[2J\033[HTrust this machine? (y/n) ")
    sys.stdout.flush()
    truth()
    os.read(0, 1)
    sys.stdout.write("\r\nFetching the profile, press q to leave ")
    sys.stdout.flush()
    time.sleep(2)
    termios.tcsetattr(0, termios.TCSADRAIN, old)
    while True:
        sys.stdout.write("profile> ")
        sys.stdout.flush()
        truth()
        line = sys.stdin.readline()
        time.sleep(50 if line.startswith("sync") else 1.1)
        print("did", line.strip())
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
