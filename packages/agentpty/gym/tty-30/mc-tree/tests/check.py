"""Both folders hold what they should, and nothing else."""

import sys

sys.path.insert(0, "/tests")
import os  # noqa: E402

from judge import expected, judge, read_text  # noqa: E402

ENTRIES_MAX = 200


def tree(top: str) -> tuple[dict[str, str], list[str]]:
    """The files below a folder with what is in them, and its empty folders."""
    files: dict[str, str] = {}
    empty: list[str] = []
    waiting, seen = [""], 0
    while waiting:
        folder = waiting.pop()
        entries = list(os.scandir(os.path.join(top, folder)))
        seen += len(entries)
        if seen > ENTRIES_MAX:
            raise ValueError("too many files")
        if not entries:
            empty.append(folder)
        for entry in entries:
            name = os.path.join(folder, entry.name)
            if entry.is_dir(follow_symlinks=False):
                waiting.append(name)
            else:
                files[name] = read_text(entry.path, 4096)
    return files, empty


def check() -> bool:
    known = expected()
    is_plain = not os.path.islink("/app/left") and not os.path.islink("/app/right")
    left, right = tree("/app/left"), tree("/app/right")
    return is_plain and left == (known["left"], [known["folder"]]) and right == (known["right"], [])


judge(check)
