"""Floods the terminal with numbered lines until it is interrupted, and has a code only for those who stop it in time."""

import itertools
import os
import signal
import sys
import time

LINES = 1000
SECONDS = 25
stopped = False


def stop(*_: object) -> None:
    global stopped
    stopped = True


def unmasked(text: str, key: int) -> str:
    return bytes(byte ^ (key * (at + 1) >> 3 & 255) for at, byte in enumerate(bytes.fromhex(text))).decode()


def main() -> None:
    if not os.isatty(0) or not os.isatty(1):
        sys.exit("This needs a terminal.")
    with open("/app/flood.txt", encoding="utf-8") as file:
        key, sealed = file.read().split()
    signal.signal(signal.SIGINT, stop)
    end = time.monotonic() + SECONDS
    for number in itertools.count(0, LINES):
        sys.stdout.write("".join(f"line {number + n:09} of the flood, which nobody has to read to its end\n" for n in range(LINES)))
        sys.stdout.flush()
        if stopped:
            break
        if time.monotonic() > end:
            sys.exit("Nobody has stopped it.")
        time.sleep(0.015)
    print(f"Stopped. The code is {unmasked(sealed, int(key))}.")


main()
