"""All prompts have been answered."""

import sys

sys.path.insert(0, "/tests")
import json  # noqa: E402

from judge import expected, judge, read_text  # noqa: E402


def check() -> bool:
    done = json.loads(read_text("/app/done.json"))
    return done["words"] == expected()["words"] and done["wrong"] < 3


judge(check)
