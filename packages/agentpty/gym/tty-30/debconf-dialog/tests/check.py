"""debconf's database has the answers that were asked for."""

import sys

sys.path.insert(0, "/tests")
from judge import expected, judge, read_text


def check() -> bool:
    entries = [dict(row.split(": ", 1) for row in entry.splitlines() if ": " in row) for entry in read_text("/app/config.dat").split("\n\n")]
    return {entry["Name"]: entry.get("Value") for entry in entries if entry} == expected()["answers"]


judge(check)
