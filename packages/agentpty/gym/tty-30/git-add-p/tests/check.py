"""The commit has the changes that were asked for, and the file has all."""

import sys

sys.path.insert(0, "/tests")
from judge import expected, history, judge, read_text  # noqa: E402


def check() -> bool:
    known = expected()
    found = [{"tree": commit["tree"], "message": commit["message"]} for commit in history("/app/repo")]
    return found == known["history"] and read_text("/app/repo/list.txt") == known["text"]


judge(check)
