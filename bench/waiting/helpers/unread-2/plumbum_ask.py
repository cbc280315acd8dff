# plumbum's questions: a typed number, a numbered choice, yes or no; between them one works by computing, one by sleeping
import hashlib, time
from plumbum.cli import terminal

def digest(seconds):
    until, block = time.monotonic() + seconds, bytes(1 << 20)
    while time.monotonic() < until:
        hashlib.sha256(block).digest()

print("looking for disks")
digest(0.9)
terminal.prompt("How many copies", type=int, default=2)
digest(1.3)
terminal.choose("Where to?", ["attic", "cellar"], default="attic")
time.sleep(1.2)
terminal.ask("Remove the originals", default=False)
print("copying")
time.sleep(60)
