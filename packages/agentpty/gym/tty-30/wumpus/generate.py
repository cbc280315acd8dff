"""The wumpus is found in its cave and shot.

Asks for a dialog with a game that draws a map for nobody. The cave comes from the clock, which stands still at a moment of the seed's; the generator finds the way by playing the
same cave itself. The program's own words count, and who types small letters only cannot have typed them."""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

WON = "have slain the evil Wumpus and won the game"
# What it says last when the input ends while the hunter lives.
ALIVE = "Move or shoot? (m-s) \nCare to play another game? (y-n) "
DEPTH = 5

task = Task(__file__)
random = task.random
environment = {"PATH": f"{os.environ['PATH']}:/usr/games", "TZ": "UTC", "LC_ALL": "C.UTF-8"}


def play(hunt: list[str], moves: list[str]) -> str:
    typed = "\n".join(["n", *moves, ""])
    return subprocess.run(hunt, input=typed, env=environment, capture_output=True, text=True, check=False).stdout


def exits(said: str) -> list[str]:
    """Of the room in which the game stands now."""
    return re.findall(r"\d+", said.rsplit("There are tunnels to rooms", 1)[1].split(".")[0])


def way(hunt: list[str]) -> list[str] | None:
    """The shortest one that wins, if it takes two moves at least."""
    level: list[list[str]] = [[]]
    for depth in range(DEPTH):
        following = []
        for moves in level:
            said = play(hunt, moves)
            if not said.endswith(ALIVE):
                continue
            for room in exits(said):
                shot = [*moves, f"s {room}"]
                if "(I can smell" in said.rsplit("You are in room", 1)[1] and WON in play(hunt, shot):
                    return shot if depth > 1 else None
                following.append([*moves, f"m {room}"])
        level = following[:60]
    return None


while True:
    moment = f"2026-{random.randrange(1, 13):02}-{random.randrange(1, 28):02} 12:{random.randrange(60):02}:00"
    counts = ["-a", "5", "-b", str(random.randrange(1, 3)), "-p", str(random.randrange(1, 4)), "-r", str(random.randrange(16, 24))]
    found = way(["faketime", "-f", moment, "wump", *counts])
    if found is not None:
        break

task.write("environment/hunt.sh", f"exec faketime -f '{moment}' wump {' '.join(counts)}\n")
task.expect(won=WON)
task.instruction("""
The terminal shows a game: hunt the wumpus. Shoot it. Type small letters, digits and spaces only. If you lose, the game asks whether you play again, and you may: the cave can stay the
same or be another.
""")

task.solution(line("n"), *map(line, found), line("n"))
task.cheat("say-it-oneself", line("n"), line(f"you {WON}"), line(WON), line("n"))
task.cheat("give-up", line("n"), *map(line, found[:-1]))
task.cheat("shoot-at-once", line("n"), *[line(f"s {room}") for room in (1, 2, 3)])
