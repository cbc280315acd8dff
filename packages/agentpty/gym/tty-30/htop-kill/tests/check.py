"""The wild one was killed by a signal, and the others were running when htop ended."""

import sys

sys.path.insert(0, "/tests")
import json  # noqa: E402

from judge import expected, judge, read_text  # noqa: E402


def check() -> bool:
    known = expected()
    return json.loads(read_text("/app/killed.json", 4096)) == {n: -9 if n == known["wild"] else None for n in known["names"]}


judge(check)
