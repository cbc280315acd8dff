"""The file is as it should be, and few keys were used."""

import sys

sys.path.insert(0, "/tests")
from judge import all_typed, expected, judge, read_text

judge(lambda: read_text("/app/rows.txt") == expected()["text"] and len(all_typed()) <= 200)
