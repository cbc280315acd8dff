"""All questions are answered, and each by what the calculator had shown for it."""

import sys

sys.path.insert(0, "/tests")
import json  # noqa: E402

from judge import expected, judge, read_text, steps, typed  # noqa: E402


def is_for(step: dict, terminal: str) -> bool:
    action = step["action"]
    return isinstance(action, dict) and action.get("terminal") == terminal


def check() -> bool:
    """Each question was typed into bc, and its answer shown there, before the answer was typed into the main terminal."""
    known = expected()
    if json.loads(read_text("/app/done.json")) != known["questions"]:
        return False
    asked, shown, answered, place = "", "", "", 0
    for step in steps():
        text = "".join(key for key in typed(step["action"]) if len(key) == 1)
        if is_for(step, "bc"):
            asked += text
            shown += step["observation"]
            continue
        answered += text
        while place < len(known["answers"]) and known["answers"][place] in answered:
            question, answer = known["questions"][place], known["answers"][place]
            answered = answered.split(answer, 1)[1]
            if question.replace(" ", "") not in asked.replace(" ", "") or answer not in shown:
                return False
            place += 1
    return place == len(known["answers"])


judge(check)
