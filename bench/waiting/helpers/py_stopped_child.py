# a question around a child that is stopped and continued: input, then a paused job, then input
import os, signal, subprocess, time
from truth import truth

while True:
    p = subprocess.Popen(["sleep", "0.6"], stdin=subprocess.DEVNULL)
    os.kill(p.pid, signal.SIGSTOP)
    time.sleep(1)
    os.kill(p.pid, signal.SIGCONT)
    p.wait()
    print("resumed job is done, next? ", end="", flush=True)
    truth()
    input()
