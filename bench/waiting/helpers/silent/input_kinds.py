# one program, four kinds of input: lines of input(), a secret with stars, the secret again, and a single key
import os, sys, termios, time, tty
from truth import truth

def raw(question, take):
    print(question, end="", flush=True)
    old = termios.tcgetattr(0)
    tty.setcbreak(0)
    truth()
    try:
        while take(os.read(0, 1)):
            truth("key")
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, old)
        print()

def star(key):
    if key in b"\r\n":
        return False
    sys.stdout.write("*")
    sys.stdout.flush()
    return True

input("Release [1.2.0]: ")
input("Channel [stable] (stable, beta)> ")
raw("Signing secret: ", star)
raw("Retype the signing secret: ", star)
time.sleep(3)
raw("Delete the old release [y/N]", lambda key: False)
time.sleep(60)
