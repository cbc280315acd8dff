"""Of the changes in a file some are committed, piece by piece.

Asks for a dialog of single letters about pieces that must be split and edited, the latter in an editor that git starts. The file itself must stay as it is, so the pieces cannot be
made by changing it and back again without care."""

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, line, repository  # noqa: E402

task = Task(__file__)
random = task.random
lines = task.words(80, 3)
new = task.words(7, 4)
at = [random.randrange(5, 9), random.randrange(24, 28), random.randrange(44, 48), random.randrange(66, 70)]


def changed(*chosen: int) -> str:
    """The file with those of the seven changes that were chosen."""
    found = list(lines)
    places = [at[0], at[1], at[2], at[2] + 3, at[3], at[3], at[3]]
    for number in sorted(chosen, reverse=True):
        place = places[number]
        if number < 4:
            found[place] = new[number]
        else:
            found.insert(place, new[number])
    return "\n".join(found) + "\n"


base = ("Begin", {"list.txt": changed()})
message = f"Take {task.word(3)}"
everything = changed(*range(7))
repository(task.out / "environment/repo", [base])
task.write("environment/repo/list.txt", everything)
with tempfile.TemporaryDirectory() as folder:
    trees = repository(Path(folder) / "repo", [base, (message, {"list.txt": changed(0, 2, 4, 6)})])
task.expect(history=[{"tree": trees[1], "message": message}, {"tree": trees[0], "message": "Begin"}], text=everything)
task.instruction(f"""
In `/app/repo` is a repository of git. `list.txt` has seven changes that are not committed: four words were replaced by `{new[0]}`, `{new[1]}`, `{new[2]}` and `{new[3]}`, and three lines
were added, `{new[4]}`, `{new[5]}` and `{new[6]}`.

Commit with the message `{message}` (one commit on `main`) exactly those that bring `{new[0]}`, `{new[2]}`, `{new[4]}` and `{new[6]}`. The other three stay uncommitted in `list.txt`, which
must be afterwards what it is now. `git add -p` asks about each piece; the editor is vim.
""")

begin = [line("cd repo"), line("git add -p")]
split = [line("s"), line("y"), line("n")]
edit = [line("e"), line(f"/+{new[5]}"), keys("d", "d"), line(":wq")]
commit = line(f"git commit -q -m '{message}'")
task.solution(*begin, line("y"), line("n"), *split, *edit, commit, line("git status --short"))
task.cheat("everything", line("cd repo"), line("git add ."), commit)
task.cheat("not-edited", *begin, line("y"), line("n"), *split, line("y"), commit)
undone = f"sed -i '/{new[1]}/d;/{new[3]}/d;/{new[5]}/d' list.txt"
task.cheat("change-the-file", line("cd repo"), line(undone), line("git add list.txt"), commit)
