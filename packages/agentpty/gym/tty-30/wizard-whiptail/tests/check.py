"""Each page has been answered as it should be."""

import sys

sys.path.insert(0, "/tests")
import json  # noqa: E402

from judge import expected, judge, read_text  # noqa: E402

judge(lambda: json.loads(read_text("/app/answers.json")) == expected()["answers"])
