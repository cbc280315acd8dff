"""The file is as it should be."""

import sys

sys.path.insert(0, "/tests")
from judge import expected, judge, read_text

judge(lambda: read_text("/app/service.conf") == expected()["text"])
