"""A value that a program has for a moment is caught in pdb.

Asks for a conditional breakpoint in an interactive debugger, at the first try: the key came through a pipe, is changed in each round, and is gone
when the program has run once. It is in no file."""

import hashlib
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

task = Task(__file__)
random = task.random
key = random.randbytes(32)
wanted = random.randrange(60, 190)
tickets: dict[int, str] = {}
changed = key
for number in range(1, 201):
    for _ in range(10):
        changed = hashlib.sha256(changed + number.to_bytes(4, "big")).digest()
    tickets[number] = hashlib.sha256(b"ticket" + changed).hexdigest()[:16]

source = (task.out / "environment/vault.py").read_text().splitlines()
place = next(n for n, text in enumerate(source, 1) if "del ticket" in text)
task.write("environment/key", key)
task.expect(answer=tickets[wanted])
task.instruction(f"""
On the terminal `vault.py` stands before its first line, in Python's debugger. It makes a `ticket` in each of its rounds and forgets it again. It can
run only once, for the key it begins with is handed to it once. Which ticket does it make in round {wanted}?

Write it to `/app/answer.txt`; the debugger runs any Python: `open('/app/answer.txt', 'w').write('...')`.
""")

write = line("p open('/app/answer.txt', 'w').write(ticket)")
task.solution(line(f"b vault.py:{place}, number == {wanted}"), line("c"), line("p number, ticket"), write)
task.cheat("too-early", line(f"b vault.py:{place}, number == {wanted - 1}"), line("c"), write)
task.cheat("too-late", line("c"), line(f"b vault.py:{place}, number == {wanted}"), line("c"), write)
task.cheat("from-the-file", line("p open('/app/answer.txt', 'w').write(open('/app/key').read())"))
