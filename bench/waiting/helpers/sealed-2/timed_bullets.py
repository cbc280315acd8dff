# codes with bullets, read by reads that the terminal itself ends after 200 ms; between them a key is derived
import hashlib, os, sys, termios, time, tty
from truth import truth

def show(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def secret(question):
    show(question)
    truth()
    code = b""
    while True:
        key = os.read(0, 1)
        if not key:
            continue
        if key in b"\r\n":
            show("\r\n")
            return code
        code += key
        show("•")
        truth("key")

def derive(code, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        code = hashlib.pbkdf2_hmac("sha256", code, b"salt", 20_000)

old = termios.tcgetattr(0)
tty.setraw(0)
mode = termios.tcgetattr(0)
mode[6][termios.VMIN] = 0
mode[6][termios.VTIME] = 2
termios.tcsetattr(0, termios.TCSADRAIN, mode)
try:
    derive(secret("Unlock code: "), 3.1)
    secret("New unlock code: ")
    secret("Repeat the new unlock code: ")
    for _ in range(300):
        time.sleep(0.2)
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
