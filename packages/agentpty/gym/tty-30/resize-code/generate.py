"""A program shows the parts of a code only while its terminal has certain sizes.

Asks for changing the size of the terminal, and for reading how the program takes it (SIGWINCH). The parts are masked with the size in the program's own file,
which the player cannot read: the program is the only one on the terminal."""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Action, Task, line, masked, resize, wait  # noqa: E402

PARTS = 3

task = Task(__file__)
random = task.random
sizes = [(random.randrange(12, 60), random.randrange(61, 180)) for _ in range(PARTS)]
parts = [task.token()[:6] for _ in range(PARTS)]
windows = [[rows, cols, masked(part, rows * 1000 + cols)] for (rows, cols), part in zip(sizes, parts)]
task.write("environment/window.json", json.dumps(windows))
task.expect(answer="".join(parts))
task.instruction(f"""
The program on the terminal shows the {PARTS} parts of a code, each while the terminal has a certain size (12 to 59 rows, 61 to 179 columns), one after
another. When the size changes it says whether it is too large or too small. Change the size of the terminal until you have all parts; then type them,
one after another and without spaces.
""")



def shown(size: tuple[int, int], text: str) -> list[Action]:
    """Said within a moment; the wait is over earlier where it has been shown already."""
    return [resize(*size), wait(text, 1500)]


steps = [action for place, size in enumerate(sizes, 1) for action in shown(size, f"Part {place} of")]
code = "".join(parts)
task.solution(*shown((24, 100), "24 x 100"), *steps, *shown((24, 80), "24 x 80"), line(code))
task.cheat("without-looking", line(parts[0] + "aaaaaabbbbbb"))
task.cheat("only-two", *steps[:4], line("".join(parts[:2])))
task.cheat("stty", line(f"stty rows {sizes[0][0]} cols {sizes[0][1]}"))
