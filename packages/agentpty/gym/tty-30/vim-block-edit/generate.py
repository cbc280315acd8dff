"""A block of columns is changed in vim, with few keys.

Asks for blockwise selection in a full-screen editor. The program is vim in restricted mode, so there is no shell to fall back
on; whoever edits row by row needs more keys than are allowed."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, line, send  # noqa: E402

ROWS = 90

task = Task(__file__)
random = task.random
names = task.words(ROWS, 4)
old, new = task.words(2, 2)
first = random.randrange(8, 14)
last = first + random.randrange(55, 65)
level = random.randrange(10, 99)


def row(place: int, kind: str, end: str) -> str:
    return f"{place:03}  {names[place - 1]}  {kind}  {level + place * 7:05}{end}\n"


def rows(kind: str, end: str) -> str:
    inside = range(first, last + 1)
    return "".join(row(n, kind, end) if n in inside else row(n, old, "") for n in range(1, ROWS + 1))


before, after = rows(old, ""), rows(new, " ;")
task.write("environment/rows.txt", before)
task.expect(text=after)
task.instruction(f"""
The terminal shows `rows.txt` in vim (restricted: it starts no other programs). In rows {first} to {last}, and in no other, replace the word
`{old}` in the third column by `{new}`, and add ` ;` (a space and a semicolon) at the end of the row. Save the file and leave vim.

You may use 200 keys at most; each typed or pasted character is a key.
""")

column = 5 + 8 + 2 + 1
select = [line(f":{first}"), send(f"{column}|"), keys("ctrl+v"), send(f"{last - first}j")]
block = [*select, send(f"3lc{new}"), keys("escape")]
append = [*select, send("$A ;"), keys("escape")]
leave = line(":wq")
task.solution(*block, *append, leave)
task.cheat("one-row", line(f":{first}"), send(f"{column}|cw{new}"), keys("escape"), send("A ;"), keys("escape"), leave)
task.cheat("shell", line(f":{first},{last}!sed 's/{old}/{new}/;s/$/ ;/'"), keys("enter"), leave)
by_hand = [send(f"{column}|cw{new}\x1bA ;\x1bj") for _ in range(first, last + 1)]
task.cheat("row-by-row", line(f":{first}"), *by_hand, leave)
