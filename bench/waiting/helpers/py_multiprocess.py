# four processes compute, the first one asks when the pool is done
import multiprocessing, time
from truth import truth

def work(n):
    until = time.monotonic() + 0.8
    while time.monotonic() < until:
        pass
    return n

if __name__ == "__main__":
    while True:
        with multiprocessing.Pool(2) as pool:
            pool.map(work, range(4), 1)
        print("pool done, more? ", end="", flush=True)
        truth()
        input()
