# a wrapper that reads the pipe of a silent child for a while, then asks itself
import subprocess
from truth import truth

while True:
    p = subprocess.Popen(["sh", "-c", "sleep 1.5; echo built"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    print(p.stdout.read().strip())
    print("install it? ", end="", flush=True)
    truth()
    input()
