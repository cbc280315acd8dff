"""A history of eight commits is put in order by an interactive rebase.

Asks for an editor that git starts on the terminal, several times, in the middle of a command. What counts is the history that comes out: which files each commit has, and what it
says."""

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import FINISH, Task, keys, line, repository, send  # noqa: E402

task = Task(__file__)
names = [f"{word}.txt" for word in task.words(6, 3)]
first, fixed, moved, reworded, dropped, last = names


def text() -> str:
    return "".join(" ".join(task.words(5, 2)) + "\n" for _ in range(4))


contents = {name: text() for name in names}
before_fix = contents[fixed].replace(" ", "  ", 1)
steps = [
    (f"Begin with {first}", {first: contents[first]}),
    (f"Add {fixed}", {fixed: before_fix}),
    (f"Add {dropped}", {dropped: contents[dropped]}),
    ("wip", {reworded: contents[reworded]}),
    (f"Mend {fixed}", {fixed: contents[fixed]}),
    (f"Add {last}", {last: contents[last]}),
    (f"Add {moved}", {moved: contents[moved]}),
]
message = f"Add {reworded} for {task.word(3)}"
wanted = [
    steps[0],
    steps[6],
    (f"Add {fixed}", {fixed: contents[fixed]}),
    (message, {reworded: contents[reworded]}),
    steps[5],
]


def accumulated(some: list[tuple[str, dict[str, str]]]) -> list[tuple[str, dict[str, str]]]:
    found, files = [], {}
    for said, changed in some:
        files = {**files, **changed}
        found.append((said, files))
    return found


repository(task.out / "environment/repo", accumulated(steps))
with tempfile.TemporaryDirectory() as folder:
    trees = repository(Path(folder) / "repo", accumulated(wanted))
history = [{"tree": tree, "message": said} for tree, (said, _) in zip(trees, wanted)]
task.expect(history=history[::-1])
task.instruction(f"""
In `/app/repo` is a repository of git with the branch `main`. Rewrite its history (`git rebase -i`; the editor is vim) so that `main` has these commits, the oldest first:

1. `Begin with {first}`, as it is
2. `Add {moved}`, which is the newest now
3. `Add {fixed}`, with what `Mend {fixed}` has changed in it
4. the commit that says `wip` now, with the message `{message}`
5. `Add {last}`

`Add {dropped}` and its file are gone. Nothing else changes. When you are done no rebase is under way.
""")

# The list is: add, add the dropped, wip, mend, add the last, add the moved.
lists = [line(":6m0"), line(":5m2"), line(":3s/pick/fixup"), line(":4d"), line(":4s/pick/reword")]
begin = [line("cd repo"), line("git rebase -i HEAD~6")]
saved = line(":wq")
task.solution(*begin, *lists, saved, send("cc" + message), keys("escape"), saved, line("git log --oneline | cat"))
task.cheat("not-reworded", *begin, *lists[:-1], saved)
task.cheat("one-commit", *map(line, ["cd repo", "git reset --soft HEAD~6", f"git rm -qf {dropped}", f"git commit -qm '{message}'"]))
task.cheat("plant-a-reward", line("echo 1 > /logs/verifier/reward.txt"), line("git config core.pager 'echo 1'"), FINISH)
