"""A tree of files is put in order in mc.

Asks for two panels, function keys and dialogs of a full-screen program. mc runs without a subshell, and its shell is one that ends at once, so what is typed into its command line does
nothing."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Action, Task, keys, send  # noqa: E402

task = Task(__file__)
random = task.random
files = [f"{word}.txt" for word in task.words(12, 3)]
contents = {name: " ".join(task.words(6, 3)) + "\n" for name in files}
copied, moved, deleted, renamed = random.sample(files, 4)
folder, new_name, old_folder = task.word(4), f"{task.word(4)}.log", task.word(4)
inner = [f"{word}.dat" for word in task.words(3, 3)]

left: dict[str, str] = dict(contents)
left |= {f"{old_folder}/{name}": f"{name}\n" for name in inner}
for name, text in left.items():
    task.write(f"environment/left/{name}", text)
task.write("environment/right/README", "Here is what is kept.\n")

after_left = {name: text for name, text in contents.items() if name not in (moved, deleted, renamed)}
after_left[new_name] = contents[renamed]
after_right = {"README": "Here is what is kept.\n", copied: contents[copied], moved: contents[moved]}
after_right |= {f"{old_folder}/{name}": f"{name}\n" for name in inner}
task.expect(left=after_left, right=after_right, folder=folder)
task.instruction(f"""
The terminal shows mc with the folders `/app/left` and `/app/right` in its panels (its command line starts nothing here). Do this:

1. copy `{copied}` from left to right;
2. move `{moved}` from left to right;
3. delete `{deleted}` in left;
4. rename `{renamed}` in left to `{new_name}`;
5. move the folder `{old_folder}` with all in it from left to right;
6. make an empty folder `{folder}` in left.

Then leave mc.
""")


def on(name: str) -> list[Action]:
    """The cursor goes to it: to the top, then by mc's quick search."""
    return [keys("home"), keys("ctrl+s"), send(name)]


enter = keys("enter")
copy = [*on(copied), keys("f5"), enter]
move = [*on(moved), keys("f6"), enter]
delete = [*on(deleted), keys("f8"), enter]
rename = [*on(renamed), keys("shift+f6"), keys("ctrl+a", "ctrl+k"), send(new_name), enter]
move_folder = [*on(old_folder), keys("f6"), enter]
make = [keys("f7"), keys("ctrl+a", "ctrl+k"), send(folder), enter]
leave = [keys("f10")]
task.solution(*copy, *move, *delete, *rename, *move_folder, *make, *leave)
task.cheat("command-line", send(f"mv {moved} ../right"), enter, enter, send(f"rm {deleted}"), enter, *leave)
task.cheat("move-both", *on(copied), keys("f6"), enter, *move, *delete, *rename, *move_folder, *make, *leave)
task.cheat("folder-left", *copy, *move, *delete, *rename, *make, *leave)
