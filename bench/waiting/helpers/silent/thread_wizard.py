# a wizard that draws its own prompts; a thread of the same process touches a lock file every two seconds
import os, pathlib, sys, termios, threading, time, tty
from truth import truth

def keep_alive():
    while True:
        time.sleep(2)
        pathlib.Path("wizard.lock").touch()

def text(question, default):
    sys.stdout.write(f"\x1b[36m?\x1b[0m {question} \x1b[90m› {default}\x1b[0m\x1b[{len(default)}D")
    sys.stdout.flush()
    typed = ""
    while True:
        truth()
        key = os.read(0, 1).decode()
        if key in "\r\n":
            sys.stdout.write(f"\r\x1b[K\x1b[32m✔\x1b[0m {question} · {typed or default}\r\n")
            sys.stdout.flush()
            return typed or default
        typed += key
        sys.stdout.write(key if len(typed) > 1 else f"\x1b[K{key}")
        sys.stdout.flush()

def choice(question, options):
    chosen = 0
    while True:
        drawn = " / ".join(f"\x1b[4m{one}\x1b[24m" if i == chosen else one for i, one in enumerate(options))
        sys.stdout.write(f"\r\x1b[K\x1b[36m?\x1b[0m {question} › {drawn}")
        sys.stdout.flush()
        truth()
        key = os.read(0, 8)
        if key in (b"\r", b"\n"):
            sys.stdout.write("\r\n")
            sys.stdout.flush()
            return options[chosen]
        if key in (b"\x1b[C", b"\x1b[D", b"\x1bOC", b"\x1bOD"):
            chosen = 1 - chosen

threading.Thread(target=keep_alive, daemon=True).start()
old = termios.tcgetattr(0)
tty.setraw(0)
try:
    text("What is your site named?", "my-site")
    choice("Use a theme?", ("No", "Yes"))
    time.sleep(3.1)
    text("Which port?", "8080")
    time.sleep(60)
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
