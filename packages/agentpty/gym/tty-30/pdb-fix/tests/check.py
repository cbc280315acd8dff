"""The rules, run by a machine of the check's own, give what they should for texts that nobody has seen."""

import sys

sys.path.insert(0, "/tests")
import json  # noqa: E402

from judge import expected, judge, read_text  # noqa: E402

MODULUS = 65_521
CLASSES = ["af", "gm", "nz", "AM", "NZ", "04", "59", "--"]


def run(rules: list[dict], text: str) -> int:
    total = 1
    for character in text:
        rule = next(rule for rule in rules if rule["from"] <= character <= rule["to"])
        by = rule["by"]
        total = {"add": total + by, "multiply": total * by, "xor": total ^ by}[rule["op"]]
        total = (total + ord(character)) % MODULUS
    return total


def check() -> bool:
    rules = json.loads(read_text("/app/rules.json", 10_000))
    if [rule["from"] + rule["to"] for rule in rules] != CLASSES:
        return False
    if not all(type(rule["by"]) is int and abs(rule["by"]) < 1_000_000 for rule in rules):
        return False
    return all(run(rules, text) == total for text, total in expected()["hidden"])


judge(check)
