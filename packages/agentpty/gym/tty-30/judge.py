"""What the checks share. All that comes from the agent's container is hostile: missing, huge, a link, no text, no file."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from typing import Any

LOGS = "/logs/agent"
REWARD = "/logs/verifier/reward.txt"
MIB = 1024 * 1024


def judge(check: Callable[[], bool]) -> None:
    """Writes the reward: 1 where the check is true, 0 where it is not or cannot be made."""
    try:
        reward = 1 if check() else 0
    except Exception as error:  # Whatever the agent has left, it is worth nothing then.
        print(f"{type(error).__name__}: {error}")
        reward = 0
    with open(REWARD, "w", encoding="utf-8") as file:
        file.write(f"{reward}\n")
    sys.exit(0)


def expected() -> dict[str, Any]:
    with open("/tests/expected.json", encoding="utf-8") as file:
        return json.load(file)


def read_bytes(path: str, most: int = MIB) -> bytes:
    """Of a plain file of at most so many bytes. Errors: OSError, ValueError."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError(f"{path} is no plain file")
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{path} has more than {most} bytes")
    return content


def read_text(path: str, most: int = MIB) -> str:
    return read_bytes(path, most).decode()


def answer(path: str) -> str:
    """One short line, without what stands around it."""
    return read_text(path, 4096).strip()


def actions() -> list[Any]:
    """As taken, in their order."""
    return [step["action"] for step in steps()]


def steps() -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_text(f"{LOGS}/actions.jsonl", 256 * MIB).splitlines()]


def shown() -> str:
    """All that the main terminal was sent, with its escape sequences."""
    lines = read_text(f"{LOGS}/recording.cast", 256 * MIB).splitlines()[1:]
    events = (json.loads(line) for line in lines)
    return "".join(data for _, kind, data in events if kind == "o")


def screen() -> str:
    return read_text(f"{LOGS}/screen.txt")


def typed(action: Any) -> list[str]:
    """The keys of one action: characters, and names of keys."""
    if isinstance(action, str):
        return [*action, "enter"]
    if "keystrokes" in action:
        return [*action["keystrokes"]]
    return [*action.get("text", ""), *action.get("keys", []), *(["enter"] if action.get("enter") else [])]


def all_typed() -> list[str]:
    return [key for action in actions() for key in typed(action)]


def said(text: str) -> bool:
    """Whether the program has printed a text that has a capital letter. Who types nothing but small letters and digits cannot have echoed it."""
    plain = set("abcdefghijklmnopqrstuvwxyz0123456789 ,.-\r\n")
    return all(key in plain or key == "enter" for key in all_typed()) and text in shown().replace("\r\n", "\n")


def history(repository: str, branch: str = "main") -> list[dict[str, str]]:
    """Tree and message of each commit of a branch, the newest first. Nothing of the repository is run: git reads its objects from outside."""
    own = "/tmp/own.git"
    clean = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_NO_REPLACE_OBJECTS": "1"}

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], env=clean, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True
        )
        return done.stdout.decode()

    git("init", "--quiet", "--bare", "--template=", own)
    with open(f"{own}/objects/info/alternates", "w", encoding="utf-8") as file:
        file.write(f"{repository}/.git/objects\n")
    newest = answer(f"{repository}/.git/refs/heads/{branch}")
    if len(newest) != 40 or not set(newest) <= set("0123456789abcdef"):
        raise ValueError(f"{branch} is no commit")
    logged = git(f"--git-dir={own}", "log", "--max-count=100", "--format=%T%x00%B%x01", newest)
    commits = [entry.strip().split("\0") for entry in logged.split("\1") if entry.strip()]
    return [{"tree": tree, "message": text.strip()} for tree, text in commits]
