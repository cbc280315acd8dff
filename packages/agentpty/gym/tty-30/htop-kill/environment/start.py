"""Starts six workers, of which one runs wild, and htop; says afterwards which of them are left."""

import json
import os
import signal
import subprocess
import sys

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)

with open("workers.json", encoding="utf-8") as file:
    workers = json.load(file)
started = {}
for worker in workers:
    words = ["/usr/bin/python3", "-I", "worker.py", worker["name"]]
    started[worker["name"]] = subprocess.Popen(words, stdin=subprocess.PIPE)
    started[worker["name"]].stdin.write(b"1" if worker["wild"] else b"0")
    started[worker["name"]].stdin.close()
shell = {**os.environ, "SHELL": "/bin/false"}
subprocess.run(["htop", "-d", "10"], env=shell, check=False)
ended = {name: process.poll() for name, process in started.items()}
with open("killed.json", "w", encoding="utf-8") as file:
    json.dump(ended, file)
for process in started.values():
    process.kill()
print("htop has ended.")
sys.exit(0)
