# the main thread computes while another thread sits in input(); when the result is there, it says what may be typed
import threading, time
from truth import truth

answers = []
def reader():
    while True:
        answers.append(input())
threading.Thread(target=reader, daemon=True).start()
while True:
    until = time.monotonic() + 1.6
    while time.monotonic() < until:
        pass
    print("result 42, next number: ", end="", flush=True)
    truth()
    n = len(answers)
    while len(answers) == n:
        time.sleep(0.02)
