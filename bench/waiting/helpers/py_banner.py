# an interpreter of its own after two hundred lines of banner, which come in three parts with a pause before the last
import code, sys, time

def tell(first, last):
    for n in range(first, last):
        print(f"{n:4} >>> loading module {n} of the plant: ready")
    sys.stdout.flush()

tell(0, 90)
time.sleep(0.4)
tell(90, 199)
time.sleep(1.2)
code.interact(banner="Plant control 4.2, type help for help", local={"sleep": time.sleep})
