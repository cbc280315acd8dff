# the main thread is in input(); another thread computes and prints lines around it, then the prompt stands alone
import threading, time
from truth import truth

def noise():
    for i in range(4):
        time.sleep(0.4)
        print(f"\rjob {i} done")
    print("command: ", end="", flush=True)
    truth()
while True:
    threading.Thread(target=noise).start()
    input()
