"""Shows the log in less, which can start nothing and open nothing else, and asks for the answer afterwards."""

import os
import signal
import subprocess

signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGQUIT, signal.SIG_IGN)
signal.signal(signal.SIGTSTP, signal.SIG_IGN)


def as_usual() -> None:
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


subprocess.run(
    ["less", "-S", "server.log"],
    env={**os.environ, "LESSSECURE": "1", "LESSHISTFILE": "-"},
    preexec_fn=as_usual,
    check=False,
)
answer = input("Ticket: ").strip()
with open("answer.txt", "w", encoding="utf-8") as file:
    file.write(answer + "\n")
print("Thank you.")
