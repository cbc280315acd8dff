# enlighten keeps two bars at the bottom of the screen while lines scroll above; the question comes when they have stopped
import time
import enlighten
from truth import truth

while True:
    manager = enlighten.get_manager()
    outer, inner = manager.counter(total=3, desc="disks"), manager.counter(total=12, desc="blocks")
    for disk in range(3):
        print(f"disk {disk}")
        for block in range(4):
            time.sleep(0.12)
            inner.update()
        outer.update()
    manager.stop()
    print("All disks read. Eject? ", end="", flush=True)
    truth()
    input()
