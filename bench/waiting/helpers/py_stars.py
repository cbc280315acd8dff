# a password read key by key in a mode of its own: asterisks, backspace, and a slow check without a word
import os, sys, termios, time, tty
from truth import truth

def secret(prompt):
    old = termios.tcgetattr(0)
    print(prompt, end="", flush=True)
    typed = ""
    try:
        tty.setraw(0)
        truth()
        while (key := os.read(0, 1)) not in (b"\r", b"\n", b"\x03"):
            if key == b"\x7f" and typed:
                typed = typed[:-1]
                os.write(1, b"\b \b")
            elif key != b"\x7f":
                typed += key.decode()
                os.write(1, b"*")
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, old)
    print()
    return typed

for prompt in ("Vault key: ", "Vault key again: "):
    secret(prompt)
    time.sleep(1.4)
print("opening")
time.sleep(60)
