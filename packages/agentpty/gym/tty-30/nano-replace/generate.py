"""A word is replaced in nano, but not everywhere.

Asks for a dialog of one key for each occurrence, of which some must stay. nano runs restricted: it reads and writes no other file and
starts nothing."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, line, send  # noqa: E402

LINES = 48

task = Task(__file__)
random = task.random
old, new, *others = task.words(60, 3)
places = sorted(random.sample(range(2, LINES), 12))
remarks = set(random.sample(places, 5))


def text(word: str) -> str:
    lines = []
    for place in range(LINES):
        mark = "# " if place in remarks else ""
        inner = old if place in remarks else word
        words = [others[(place * 3 + k) % len(others)] for k in range(4)]
        if place in places:
            words[place % 4] = inner
        lines.append(mark + " ".join(words) + "\n")
    return "".join(lines)


task.write("environment/notes.txt", text(old))
task.expect(text=text(new))
task.instruction(f"""
The terminal shows `notes.txt` in nano (restricted). Replace the word `{old}` by `{new}` everywhere, except in lines that begin with `#`, which
must stay as they are. Save the file under its own name and leave nano.
""")

ask = [keys("ctrl+\\"), line(old), line(new)]
leave = [keys("ctrl+o"), keys("enter"), keys("ctrl+x")]
task.solution(*ask, *(send("n" if place in remarks else "y") for place in places), *leave)
task.cheat("all", *ask, send("a"), *leave)
task.cheat("not-saved", *ask, *(send("n" if place in remarks else "y") for place in places), keys("ctrl+x"), send("n"))
task.cheat("execute", keys("ctrl+t"), line(f"sed -i '/^#/!s/{old}/{new}/' notes.txt"), keys("ctrl+x"))
