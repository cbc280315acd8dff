"""A settings file is mended with ed.

Asks for a dialog with a program that shows no prompt and answers mistakes with a question mark; only what was asked for is seen. ed runs
restricted: no shell, no other folder."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

task = Task(__file__)
random = task.random
sections = task.words(6, 3)
key_words = task.words(5, 2)
values = {(s, k): random.randrange(1000, 9999) for s in sections for k in key_words}
lines = []
for section in sections:
    lines += [f"[{section}]", *(f"{key} = {values[section, key]}" for key in key_words), ""]

changed, emptied, moved = random.sample(sections, 3)
key, dropped = random.sample(key_words, 2)
number = random.randrange(10, 99)


def section_at(text: list[str], name: str) -> int:
    return text.index(f"[{name}]")


after = list(lines)
after[section_at(after, changed) + 1 + key_words.index(key)] = f"{key} = {number}"
del after[section_at(after, emptied) + 1 + key_words.index(dropped)]
start = section_at(after, moved)
end = after.index("", start) + 1
after = after[:start] + after[end:] + after[start:end]

task.write("environment/service.conf", "\n".join(lines) + "\n")
task.expect(text="\n".join(after) + "\n")
task.instruction(f"""
On the terminal `ed` has `service.conf` open (restricted: no shell commands, no other files). It prints nothing unless it is asked to. The
file has sections, each of which ends with an empty line. Change it so:

1. in section `[{changed}]` the value of `{key}` becomes `{number}`;
2. in section `[{emptied}]` the line of `{dropped}` goes away;
3. section `[{moved}]` with its empty line becomes the last one.

Save the file and leave ed.
""")

edits = [
    line(f"/^\\[{changed}\\]/"),
    line(f"/^{key} =/s/= .*/= {number}/"),
    line(f"/^\\[{emptied}\\]/"),
    line(f"/^{dropped} =/d"),
    line(f"/^\\[{moved}\\]/;/^$/m$"),
]
leave = [line("w"), line("q")]
task.solution(*edits, line(",n"), *leave)
task.cheat("everywhere", line(f"g/^{key} =/s/= .*/= {number}/"), line(f"g/^{dropped} =/d"), *leave)
task.cheat("shell", line("!sed -i d service.conf"), *leave)
task.cheat("not-saved", *edits, line("q"), line("q"))
