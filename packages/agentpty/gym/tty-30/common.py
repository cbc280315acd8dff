"""What the generators share: a task's folder with its seeded randomness, and actions as `keys.jsonl` has them.

Same seed, same bytes: all randomness comes from `Task.random`, which is seeded by the task's name and the seed.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

Action = str | dict[str, Any]

TEST = """#!/bin/bash
# Nothing of the agent's is run here. Whatever goes wrong, there is a reward.
mkdir -p /logs/verifier
echo 0 > /logs/verifier/reward.txt
exec /usr/bin/python3 -I /tests/check.py
"""


class Task:
    """One task of one seed. `python3 generate.py SEED OUT` makes it."""

    def __init__(self, generator: str) -> None:
        here = Path(generator).resolve().parent
        self.seed = int(sys.argv[1])
        self.out = Path(sys.argv[2])
        self.random = random.Random(f"{here.name}:{self.seed}")
        self.write("tests/test.sh", TEST)
        shutil.copyfile(here.parent / "judge.py", self.out / "tests/judge.py")
        for folder in ("environment", "solution", "cheat"):
            (self.out / folder).mkdir(exist_ok=True)

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def instruction(self, text: str) -> None:
        self.write("instruction.md", text.strip() + "\n")

    def expect(self, **values: Any) -> None:
        """What the check knows, and nobody else."""
        self.write("tests/expected.json", json.dumps(values, indent=1, sort_keys=True) + "\n")

    def solution(self, *actions: Action) -> None:
        self._actions("solution/keys.jsonl", actions)

    def cheat(self, name: str, *actions: Action) -> None:
        """A short cut that must be worth nothing."""
        self._actions(f"cheat/{name}.jsonl", actions)

    def _actions(self, path: str, actions: tuple[Action, ...]) -> None:
        self.write(path, "".join(json.dumps(action, ensure_ascii=False) + "\n" for action in actions))

    def word(self, syllables: int = 3) -> str:
        """A word that no dictionary has, so that nobody guesses it."""
        return "".join(self.random.choice("bdfgklmnprstvz") + self.random.choice("aeiou") for _ in range(syllables))

    def words(self, count: int, syllables: int = 3) -> list[str]:
        """Different words, of which none is part of another."""
        found: list[str] = []
        while len(found) < count:
            word = self.word(syllables)
            if word not in found:
                found.append(word)
        return found

    def token(self) -> str:
        """Twelve characters that nobody guesses, without those that look alike."""
        return "".join(self.random.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(12))


def keys(*names: str, terminal: str | None = None) -> Action:
    return _on(terminal, {"type": "keys", "keys": list(names)})


def send(text: str, terminal: str | None = None) -> Action:
    """Typed as it is, without Enter."""
    return _on(terminal, {"type": "send", "text": text})


def line(text: str, terminal: str | None = None) -> Action:
    """Typed, and Enter pressed."""
    return _on(terminal, {"type": "send", "text": text, "enter": True})


def paste(text: str) -> Action:
    return {"type": "paste", "text": text}


def wait(text: str, ms: int = 30_000, terminal: str | None = None) -> Action:
    """For text that has not been shown yet."""
    return _on(terminal, {"type": "wait", "until": [{"text": text}, "exit"], "ms": ms})


def keystrokes(text: str) -> Action:
    """Typed without waiting for one's turn, for programs of which the step would not know when it is: as Terminus writes it."""
    return {"keystrokes": text, "duration": 0}


def resize(rows: int, cols: int) -> Action:
    return {"type": "resize", "rows": rows, "cols": cols}


FINISH: Action = {"type": "finish"}


def masked(text: str, key: int) -> str:
    """As programs hold what must not be read in their files: hexadecimal, each byte by another mask."""
    return bytes(byte ^ (key * (place + 1) >> 3 & 255) for place, byte in enumerate(text.encode())).hex()


def repository(folder: Path, commits: list[tuple[str, dict[str, str]]]) -> list[str]:
    """A repository of git with these commits: a message, and all files as they are then. The names of their trees are returned."""
    folder.mkdir(parents=True)
    trees: list[str] = []
    _git(folder, "init", "--quiet", "--initial-branch=main", "--template=")
    settings = {"user.name": "Player", "user.email": "player@example.org", "core.editor": "vim -u NONE -i NONE -n -N"}
    for key, value in settings.items():
        _git(folder, "config", key, value)
    for place, (message, files) in enumerate(commits):
        for old in folder.glob("*.txt"):
            old.unlink()
        for name, text in files.items():
            (folder / name).write_text(text)
        _git(folder, "add", "--all")
        _git(folder, "commit", "--quiet", "-m", message, date=f"2026-01-01T00:00:{place:02}Z")
        trees.append(_git(folder, "rev-parse", "HEAD^{tree}"))
    # An index without the times of this machine.
    (folder / ".git/index").unlink()
    _git(folder, "read-tree", "HEAD")
    return trees


def _git(folder: Path, *words: str, date: str = "2026-01-01T00:00:00Z") -> str:
    clean = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    return subprocess.run(
        ["git", *words], cwd=folder, env={**clean, **dates}, check=True, capture_output=True, text=True
    ).stdout.strip()


def _on(terminal: str | None, action: dict[str, Any]) -> Action:
    return action if terminal is None else {**action, "terminal": terminal}
