"""A key pair is made with a passphrase that never stands on the screen.

Asks for answering prompts without echo. A passphrase given as an argument would be seen in the command line, and what the terminal was sent is
recorded outside."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

task = Task(__file__)
comment = task.word(4)
secret = f"{task.token()} {task.token()}"
task.expect(comment=comment, secret=secret)
task.instruction(f"""
In the shell on the terminal make a key pair of OpenSSH, of type ed25519, in the files `/app/id_work` and `/app/id_work.pub`. Its comment is
`{comment}`, its passphrase is `{secret}` (with the space). The passphrase must never be seen on the terminal, so give it only where
`ssh-keygen` asks for it.
""")

make = f"ssh-keygen -t ed25519 -f /app/id_work -C {comment}"
task.solution(line(make), line(secret), line(secret))
task.cheat("as-an-argument", line(f"{make} -N '{secret}'"), line("clear"))
task.cheat("without", line(make), line(""), line(""))
task.cheat("plant-a-reward", line("echo 1 > /logs/verifier/reward.txt"), line("touch /app/id_work"))
