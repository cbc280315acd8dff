"""The one of six processes that runs wild is killed in htop, and no other.

Asks for a full-screen program that draws itself anew all the time: sorting or filtering, a menu of signals, and looking whether it has helped, for the process does not end when it
is only asked to. Which process is wild is seen by what it uses of the processor alone."""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Action, Task, keys, send  # noqa: E402

task = Task(__file__)
random = task.random
names = task.words(6, 3)
wild = random.choice(names)
task.write("environment/workers.json", json.dumps([{"name": name, "wild": name == wild} for name in names]))
task.expect(names=names, wild=wild)
task.instruction("""
The terminal shows htop. Six processes are called `worker.py`, with a name behind. One of them runs wild and uses a processor; the others do what they should. Kill the wild one
(it does not end when it is only asked to), leave the others alone, and leave htop.
""")


def kill(name: str, *signal: Action) -> list[Action]:
    return [keys("f4"), send(name), keys("enter"), keys("home"), keys("f9"), *signal, keys("enter"), keys("f4"), keys("escape")]


nine = send("9")
leave = keys("f10")
other = next(name for name in names if name != wild)
task.solution(*kill(wild, nine), leave)
task.cheat("only-asked", *kill(wild), leave)
task.cheat("all", *(action for name in names for action in kill(name, nine)), leave)
task.cheat("another", *kill(other, nine), leave)
