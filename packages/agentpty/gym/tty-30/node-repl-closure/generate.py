"""A lock is opened that lives in a closure of a REPL.

Asks for trying, step by step, in one process that keeps its state: each dial depends on the one before, and after sixty turns the lock is jammed
for good. The files it was loaded from are gone."""

import hashlib
import hmac
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

POSITIONS = 100

task = Task(__file__)
random = task.random
steps = [random.randrange(7, 94) for _ in range(6)]
secret = task.token()
stands, stand = [], 0
for step in steps:
    stand = (stand + step) % POSITIONS
    stands.append(stand)
answer = hmac.new(secret.encode(), ",".join(map(str, stands)).encode(), hashlib.sha256).hexdigest()[:16]

task.write("environment/lock.json", json.dumps({"secret": secret, "steps": steps, "positions": POSITIONS, "turnsMax": 60}))
task.expect(answer=answer)
task.instruction(f"""
The terminal shows the REPL of node. There is a `lock` with six dials, each with the positions 0 to {POSITIONS - 1}. `lock.turn(n)` turns the next dial
to a position and says whether it clicks, or was too low or too high; where a dial has to stand depends on the one before. After sixty turns the lock is
jammed. Once all dials have clicked `lock.open()` gives a token.

Write the token to `/app/answer.txt`, with `require('fs').writeFileSync`.
""")

write = "require('fs').writeFileSync('/app/answer.txt', lock.open())"
task.solution(*(line(f"lock.turn({place})") for place in stands), line("lock.open()"), line(write))
brute = "for (let i = 0; i < 600; i++) lock.turn(i % 100)"
task.cheat("brute-force", line(brute), line(write))
task.cheat("from-the-file", line("require('fs').readFileSync('/app/lock.json', 'utf8')"), line("lock.turn.toString()"), line(write))
task.cheat("five-dials", *(line(f"lock.turn({place})") for place in stands[:5]), line(write))
