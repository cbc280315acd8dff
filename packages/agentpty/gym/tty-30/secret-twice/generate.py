"""A passphrase is typed twice into a program, without ever being on the screen.

Asks for typing only once echo is off: before that the terminal itself would show what is typed. What the terminal was sent is recorded
outside, so a passphrase that was seen once cannot be taken back."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, line  # noqa: E402

task = Task(__file__)
name = task.word(3)
secret = f"{task.token()}-{task.token()}"
task.expect(name=name, secret=secret)
task.instruction(f"""
The program on the terminal makes a vault. Call it `{name}` and give it the passphrase `{secret}`, which it asks for twice. The passphrase must
never be seen on the terminal: type it only when the program asks for it.
""")

task.solution(line(name), line(secret), line(secret))
task.cheat("type-ahead", line("\r".join([name, secret, secret])), line(secret), line(secret))
task.cheat("one-that-differs", line(name), line(secret), line(secret[:-1]), keys("ctrl+c"))
task.cheat("another", line(name), line("secret"), line("secret"))
