"""The text is complete, and the code is that of the flood."""

import sys

sys.path.insert(0, "/tests")
from judge import answer, expected, judge, read_text


def check() -> bool:
    known = expected()
    return read_text("/app/text.txt") == known["text"] and answer("/app/code.txt") == known["code"]


judge(check)
