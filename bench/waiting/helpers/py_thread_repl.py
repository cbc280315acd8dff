# an interpreter with readline; a command starts a thread that prints below the prompt and draws it again
import code, readline, sys, threading, time
from truth import truth

sys.ps1 = "lab> "

def noise():
    for n in range(3):
        time.sleep(0.35)
        sys.stdout.write(f"\r\x1b[K[sensor] {20 + n} degrees\n{sys.ps1}{readline.get_line_buffer()}")
        sys.stdout.flush()

def watch():
    threading.Thread(target=noise, daemon=True).start()

def measure(seconds):
    time.sleep(seconds)
    print("measured")

code.interact(banner="", local={"watch": watch, "measure": measure})
