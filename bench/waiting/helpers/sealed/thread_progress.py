# a thread draws a step every 1.2 s in a mode without echo, and no question is open; the question comes after the last step
import sys, termios, threading, time
from truth import truth

def steps(count):
    for step in range(1, count + 1):
        time.sleep(1.2)
        sys.stdout.write(f"\r\x1b[KStep {step} of {count}: resolving ")
        sys.stdout.flush()

old = termios.tcgetattr(0)
quiet = termios.tcgetattr(0)
quiet[3] &= ~(termios.ECHO | termios.ICANON)
for count in (4, 4, 50):
    termios.tcsetattr(0, termios.TCSANOW, quiet)
    worker = threading.Thread(target=steps, args=(count,))
    worker.start()
    worker.join()
    termios.tcsetattr(0, termios.TCSANOW, old)
    sys.stdout.write("\n? Accept the changes › ")
    sys.stdout.flush()
    truth()
    input()
