"""The branch has the commits it should have, and no rebase is under way."""

import sys

sys.path.insert(0, "/tests")
import os  # noqa: E402

from judge import expected, history, judge  # noqa: E402


def check() -> bool:
    found = [{"tree": commit["tree"], "message": commit["message"]} for commit in history("/app/repo")]
    return found == expected()["history"] and not os.path.lexists("/app/repo/.git/rebase-merge")


judge(check)
