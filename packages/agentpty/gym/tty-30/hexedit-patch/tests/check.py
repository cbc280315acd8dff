"""Four bytes differ, and they are the right ones."""

import sys

sys.path.insert(0, "/tests")
from judge import judge, read_bytes

judge(lambda: read_bytes("/app/image.bin") == read_bytes("/tests/image.bin"))
