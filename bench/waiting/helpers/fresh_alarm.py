# input() while an alarm prints a line every 0.7 s: the reading goes on after each
import signal, time
from truth import truth

def remind(*_):
    print("\n(the session ends soon)\nanswer: ", end="", flush=True)

signal.signal(signal.SIGALRM, remind)
while True:
    time.sleep(1.1)
    print("answer: ", end="", flush=True)
    truth()
    signal.setitimer(signal.ITIMER_REAL, 0.7, 0.7)
    input()
    signal.setitimer(signal.ITIMER_REAL, 0)
    time.sleep(0.6)
