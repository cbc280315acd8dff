"""The game has said that the wumpus is slain."""

import sys

sys.path.insert(0, "/tests")
from judge import expected, judge, said

judge(lambda: said(expected()["won"]))
