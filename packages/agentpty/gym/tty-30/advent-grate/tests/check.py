"""The game itself has said at the end where one stands, what one holds, and how many turns it took."""

import sys

sys.path.insert(0, "/tests")
import re  # noqa: E402

from judge import all_typed, expected, judge, said, shown  # noqa: E402

HOLDING = "You are currently holding the following:\n"
QUIT = "Do you really want to quit now?"


def check() -> bool:
    known = expected()
    lines = re.split("[\n\r]", "".join("\n" if key == "enter" else key for key in all_typed()).strip())
    if lines[-4:] != known["ending"] or not said(HOLDING):
        return False
    before, after = shown().replace("\r\n", "\n").rsplit(HOLDING, 1)
    held, end = after.split(QUIT, 1)
    place = before.rsplit("look\n", 1)[1]
    taken = re.search(r"You scored \d+ out of a possible 350 using (\d+) turns", end)
    is_held = sorted(text for text in held.splitlines() if text[:1].isupper()) == known["held"]
    return known["mark"] in place.replace("\n", " ") and is_held and taken is not None and int(taken[1]) <= known["turns"]


judge(check)
