# for Python helpers: truth("wait") writes that the wait begins now
import os, time

def truth(label="wait"):
    path = os.environ.get("PHASE_LOG")
    if path:
        with open(path, "a") as f:
            f.write(f"{time.clock_gettime_ns(time.CLOCK_MONOTONIC)} {label}\n")
