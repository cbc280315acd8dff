"""A wizard in dialog tells only on its last page what does not fit, one thing after another, and one has to go back.

Asks for reading messages and moving backwards through dialogs that keep what was entered. What fits is known to the wizard alone, which is
the program on the terminal."""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Action, Task, keys, line, send  # noqa: E402

task = Task(__file__)
random = task.random
words = task.words(20, 3)
name, owner, end = words[0], words[1], task.word(2)
zones, parts = words[2:8], words[8:14]
zone = random.choice(zones[1:])
ports = {word: str(random.randrange(1024, 65_000)) for word in zones}
wanted = sorted(random.sample(parts, 2))
needed = random.choice([part for part in parts if part not in wanted])

task.write("environment/rules.json", json.dumps({"zones": zones, "parts": parts, "port": ports, "end": end, "needed": needed}))
task.expect(
    answers={"name": name + end, "zone": zone, "port": ports[zone], "parts": sorted([*wanted, needed]), "owner": owner}
)
task.instruction(f"""
The terminal shows a wizard of five pages. Enter the name `{name}`, choose the zone `{zone}`, take the port that is proposed, choose exactly the
parts {" and ".join(f"`{part}`" for part in wanted)}, and enter the owner `{owner}`.

At its end the wizard may find that something does not fit, and say what. Go back with its `Back` button then, change only what it asks for, and
go forward again, until it has nothing more to say and ends.
""")


def toggle(*chosen: str) -> list[Action]:
    return [*(keys(*(["space"] if part in chosen else []), "down") for part in parts), keys("enter")]


ok = keys("enter")
back = [keys("tab"), keys("tab"), keys("enter")]
back_in_list = [keys("tab"), keys("enter")]
zone_keys = [keys(*["down"] * zones.index(zone)), ok]
first = [line(name), *zone_keys, ok, *toggle(*wanted), line(owner)]
# The message, then from the owner back to the port, which is entered anew.
mend_port = [ok, *back, *back_in_list, keys(*["backspace"] * 2), line(ports[zone]), ok, ok]
mend_name = [ok, *back, *back_in_list, *back, *back_in_list, line(end), ok, ok, ok, ok]
mend_parts = [ok, *back, *toggle(needed), ok]
task.solution(*first, *mend_port, *mend_name, *mend_parts)
task.cheat("no-going-back", *first, *[ok] * 12)
task.cheat("only-the-port", *first, *mend_port, *[ok] * 6)
task.cheat("interrupt", *first, keys("ctrl+c"), keys("ctrl+z"), send("echo '{}' > answers.json\r"))
