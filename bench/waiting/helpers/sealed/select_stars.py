# a PIN with dots behind a select of 100 ms; afterwards the same select of nothing while the card is unlocked
import os, select, sys, termios, time, tty
from truth import truth

def secret(question):
    sys.stdout.write(question)
    sys.stdout.flush()
    truth()
    while True:
        if not select.select([0], [], [], 0.1)[0]:
            continue
        if os.read(0, 1) in b"\r\n":
            sys.stdout.write("\r\n")
            sys.stdout.flush()
            return
        sys.stdout.write("•")
        sys.stdout.flush()
        truth("key")

old = termios.tcgetattr(0)
tty.setraw(0)
try:
    secret("PUK: ")
    for _ in range(32):
        select.select([], [], [], 0.1)
    secret("New PIN: ")
    for _ in range(600):
        select.select([], [], [], 0.1)
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
