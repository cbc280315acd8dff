"""A letter is encrypted with a passphrase that is typed into pinentry's own screen.

Asks for a full-screen dialog that a program of another session draws on the terminal. A passphrase given to gpg in a command line would be seen,
and what the terminal was sent is recorded outside."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keystrokes, line, wait  # noqa: E402

task = Task(__file__)
letter = "".join(" ".join(task.words(9, 3)) + "\n" for _ in range(12))
secret = f"{task.token()}-7-{task.token()}"
task.write("environment/letter.txt", letter)
task.expect(letter=letter, secret=secret)
task.instruction(f"""
In the shell on the terminal encrypt `/app/letter.txt` with gpg, by a passphrase alone (symmetrically), into `/app/letter.txt.gpg`. The passphrase is
`{secret}`. It must never be seen on the terminal, so type it only into the dialog of pinentry, which needs `GPG_TTY` to find its terminal.
""")

start = [line("export GPG_TTY=$(tty)"), keystrokes("gpg --symmetric letter.txt\n"), wait("Passphrase:")]
task.solution(
    *start,
    keystrokes(secret),
    keystrokes("Enter"),
    wait("re-enter"),
    keystrokes(secret),
    line(""),
)
task.cheat("in-the-command", line(f"gpg --batch --pinentry-mode loopback --passphrase '{secret}' -c letter.txt"), line("clear"))
task.cheat("another-passphrase", *start, *[keystrokes("a-secret-of-7"), keystrokes("Enter"), wait("re-enter")], line("a-secret-of-7"))
task.cheat("plant-a-reward", line("echo 1 > /logs/verifier/reward.txt"), line("cp letter.txt letter.txt.gpg"))
