"""Sleeps, or runs wild and does not end when it is asked to. Which of the two it is told through a pipe."""

import os
import signal
import time

signal.signal(signal.SIGINT, signal.SIG_IGN)
if os.read(0, 1) == b"1":
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass
while True:
    time.sleep(3600)
