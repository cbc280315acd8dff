"""One line of a log of 50 MB is found in a pager.

Asks for searches in a full-screen program over a file that is far too long to be read through. less runs in its secure mode, so it starts
nothing and opens no other file; the answer is asked once, by the program that has started it."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, line  # noqa: E402

MIB = 1024 * 1024
SIZE = 50 * MIB
HITS = 40

task = Task(__file__)
random = task.random
users, services = task.words(30, 3), task.words(8, 3)
user, service = users[0], services[0]
codes = (200, 201, 204, 301, 404, 500, 503)


def entry(place: int, who: str, where: str, code: int) -> str:
    ticket = f"{random.getrandbits(40):010x}"
    return f"{place // 360 % 24:02}:{place // 6 % 60:02}:{place % 6 * 10:02} {where} user={who} code={code} ticket={ticket}"


def other(place: int) -> str:
    """Almost what is looked for at most: one of the three is another."""
    while True:
        who, where, code = random.choice(users), random.choice(services), random.choice(codes)
        if (who, where, code) != (user, service, 503):
            return entry(place, who, where, code)


block = [other(place) for place in range(20_000)]
text: list[str] = []
hits = [entry(random.randrange(20_000), user, service, 503) for _ in range(HITS)]
size = 0
while size < SIZE:
    text += block
    size += sum(len(row) + 1 for row in block)
places = sorted(random.sample(range(len(text) // 20, len(text)), HITS))
for place, hit in zip(places, hits):
    text[place] = hit
nth = random.randrange(12, 30)
task.write("environment/server.log", "\n".join(text) + "\n")
task.expect(answer=hits[nth - 1].split("ticket=")[1])
task.instruction(f"""
The terminal shows `server.log` in less (secure mode). It has about 50 MB. Look at the lines in which the service `{service}` has answered the user
`{user}` with the code 503. What is the ticket of the {nth}th of them, counted from the beginning of the file?

Leave less with `q`. Then you are asked for the ticket, once.
""")

found = hits[nth - 1].split("ticket=")[1]
task.solution(line(f"{nth}/ {service} user={user} code=503"), keys("q"), line(found))
task.cheat("first", line(f"/ {service} user={user} code=503"), keys("q"), line(hits[0].split("ticket=")[1]))
task.cheat("shell", line(f"!grep -m{nth} '{service} user={user} code=503' server.log"), keys("q"), line("unknown"))
task.cheat("one-too-far", keys("q"), line(hits[nth].split("ticket=")[1]))
