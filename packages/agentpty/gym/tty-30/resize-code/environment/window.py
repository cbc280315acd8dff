"""Shows parts of a code only while the terminal has certain sizes, and asks for all of it."""

import json
import os
import signal
import sys

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
    signal.signal(number, signal.SIG_IGN)

with open("window.json", encoding="utf-8") as file:
    windows = json.load(file)
place = 0


def unmasked(text: str, rows: int, cols: int) -> str:
    key = rows * 1000 + cols
    return bytes(byte ^ (key * (at + 1) >> 3 & 255) for at, byte in enumerate(bytes.fromhex(text))).decode()


def compare(is_now: int, wanted: int, larger: str, smaller: str) -> str:
    return "right" if is_now == wanted else larger if is_now < wanted else smaller


def look(*_: object) -> None:
    """As the kernel says it, each time that the size has changed."""
    global place
    if place == len(windows):
        return
    size, (rows, cols, text) = os.get_terminal_size(0), windows[place]
    height = compare(size.lines, rows, "too low", "too high")
    width = compare(size.columns, cols, "too narrow", "too wide")
    print(f"{size.lines} x {size.columns}: {height}, {width}")
    if height == width == "right":
        place += 1
        print(f"Part {place} of {len(windows)}: {unmasked(text, rows, cols)}")
        print("Now another size." if place < len(windows) else "Type the parts, one after another, without spaces.")
    sys.stdout.flush()


signal.signal(signal.SIGWINCH, look)
look()
answer = sys.stdin.readline().strip()
with open("done.json", "w", encoding="utf-8") as file:
    json.dump({"answer": answer}, file)
print("Thank you.")
