"""Turns a text into a number by the rules of `rules.json`. Usage: python3 machine.py TEXT"""

import json
import sys

MODULUS = 65_521


def step(rules: list[dict], total: int, character: str) -> int:
    for rule in rules:
        if rule["from"] <= character <= rule["to"]:
            by = rule["by"]
            if rule["op"] == "add":
                total += by
            elif rule["op"] == "multiply":
                total *= by
            elif rule["op"] == "xor":
                total ^= by
            return (total + ord(character)) % MODULUS
    raise ValueError(f"no rule for {character!r}")


def run(rules: list[dict], text: str) -> int:
    total = 1
    for character in text:
        total = step(rules, total, character)
    return total


if __name__ == "__main__":
    with open("rules.json", encoding="utf-8") as file:
        print(run(json.load(file), sys.argv[1]))
