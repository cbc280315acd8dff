"""The answer is the right one."""

import sys

sys.path.insert(0, "/tests")
from judge import answer, expected, judge

judge(lambda: answer("/app/answer.txt") == expected()["answer"])
