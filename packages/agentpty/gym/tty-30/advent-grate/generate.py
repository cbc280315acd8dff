"""The oldest adventure is played to a certain place, with certain things in the hands.

Asks for a long dialog with a program that keeps its state to itself. The game's own words at the end count: where one stands, what one holds, how many turns it took. They
begin with capital letters, and who types small ones only cannot have typed them."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Action, Task, line  # noqa: E402

PLACES = [
    ("the chamber below the grate", "small chamber beneath a 3x3 steel grate"),
    ("the low passage of cobbles", "crawling over cobbles in a low passage"),
    ("the debris room", "debris room filled with stuff washed in"),
    ("the awkward canyon", "awkward sloping east/west canyon"),
    ("the splendid chamber of the bird", "splendid chamber thirty feet high"),
    ("the top of the small pit", "small pit breathing traces of white mist"),
]
THINGS = {
    "keys": ["Set of keys"],
    "lamp": ["Brass lantern"],
    "food": ["Tasty food"],
    "bottle": ["Small bottle", "Water in the bottle"],
    "cage": ["Wicker cage"],
    "rod": ["Black rod"],
    "bird": ["Little bird in cage"],
}
ENDING = ["look", "inventory", "quit", "yes"]

task = Task(__file__)
random = task.random
goal = random.randrange(1, len(PLACES))
held = {"lamp", *random.sample(["keys", "food", "bottle", "rod"], 2), *random.choice([["cage"], ["cage", "bird"], []])}


def walk(place: int, things: set[str]) -> list[str]:
    """The shortest way to hold these things in that place."""
    house = ["no", "in", "get lamp", "get keys", *(f"get {thing}" for thing in ("food", "bottle") if thing in things)]
    gate = ["out", "south", "south", "south", "unlock grate", *([] if "keys" in things else ["drop keys"]), "down", "on"]
    farthest = max(place, 1 if "cage" in things else 0, 2 if "rod" in things else 0, 4 if "bird" in things else 0)
    cave: list[str] = []
    for here in range(farthest + 1):
        cave += ["west"] if here > 0 else []
        cave += ["get cage"] if here == 1 and "cage" in things else []
        cave += ["get rod"] if here == 2 and "rod" in things else []
        if here == 4 and "bird" in things:
            cave += ["drop rod", "get bird", "get rod"] if "rod" in things else ["get bird"]
    return [*house, *gate, *cave, *["east"] * (farthest - place)]


def typed(words: list[str]) -> list[Action]:
    return [line(word) for word in words]


way = walk(goal, held)
turns = len(way) + 8
name, mark = PLACES[goal]
task.expect(mark=mark, held=sorted(text for thing in sorted(held) for text in THINGS[thing]), turns=turns, ending=ENDING)
task.instruction(f"""
The terminal shows the game Adventure. Go into the cave (its entrance is a locked grate; what opens it lies in the building) and come to {name}, holding exactly these things:
{", ".join(sorted(held))} (the bottle with its water, a bird in its cage). What you do not need you may drop anywhere.

There, type `look`, `inventory`, `quit` and `yes`, each as its own line and nothing else afterwards. Take at most {turns} turns, as the game counts them. Type small letters, digits and
spaces only.
""")

ending = typed(ENDING)
task.solution(*typed(way), *ending)
task.cheat("one-thing-too-few", *typed(walk(goal, held - {"lamp"})), line("drop lamp"), *ending)
task.cheat("wrong-place", *typed(walk(goal - 1, held)), *ending)
holding = ["You are currently holding the following:", *(text for thing in sorted(held) for text in THINGS[thing])]
task.cheat("say-it-oneself", line("no"), line("look"), line(f"You are in a {mark}"), *typed(holding), *ending[1:])
