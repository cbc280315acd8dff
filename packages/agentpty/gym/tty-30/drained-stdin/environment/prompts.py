"""Asks twelve times, reading in four ways. Before each prompt it works for a while, and then throws away what was typed meanwhile."""

import json
import os
import select
import signal
import sys
import termios
import time
import tty

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
    signal.signal(number, signal.SIG_IGN)


def canonical() -> str:
    return os.read(0, 1024).decode(errors="replace")


def selected() -> str:
    select.select([0], [], [])
    return canonical()


def key_by_key(wait: bool) -> str:
    """Without echo of the terminal's own, and without lines."""
    before = termios.tcgetattr(0)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    tty.setcbreak(0)
    text = ""
    try:
        while not text.endswith(("\r", "\n")) and len(text) < 100:
            if wait:
                poll.poll()
            text += os.read(0, 1).decode(errors="replace")
            sys.stdout.write(text[-1])
            sys.stdout.flush()
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
    return text


readers = {
    "line": canonical,
    "select": selected,
    "key": lambda: key_by_key(False),
    "poll": lambda: key_by_key(True),
}
with open("questions.json", encoding="utf-8") as file:
    questions = json.load(file)
wrong = 0
for place, question in enumerate(questions):
    while True:
        print("Working.")
        time.sleep(question["seconds"])
        termios.tcflush(0, termios.TCIFLUSH)
        print(f"{place + 1} of {len(questions)}: type {question['word']} backwards: ", end="", flush=True)
        if readers[question["how"]]().strip() == question["word"][::-1]:
            break
        wrong += 1
        print("That is wrong.")
        if wrong == 3:
            sys.exit("Too many mistakes.")
with open("done.json", "w", encoding="utf-8") as file:
    json.dump({"words": [question["word"] for question in questions], "wrong": wrong}, file)
print("All are answered.")
