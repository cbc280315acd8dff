"""Two rules of a small machine are wrong, and are found by watching it step by step.

Asks for a debugger, or something that does its work, on a terminal. What is mended are the rules, which are data: the check runs a machine of
its own over texts that nobody has seen, so rules made for the known ones are worth nothing."""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

CLASSES = [("a", "f"), ("g", "m"), ("n", "z"), ("A", "M"), ("N", "Z"), ("0", "4"), ("5", "9"), ("-", "-")]
MODULUS = 65_521

task = Task(__file__)
random = task.random
ops = ["add", "multiply", "xor"]
rules = [{"from": a, "to": z, "op": random.choice(ops), "by": random.randrange(100, 9000)} for a, z in CLASSES]


def totals(text: str) -> list[int]:
    found, total = [], 1
    for character in text:
        rule = next(rule for rule in rules if rule["from"] <= character <= rule["to"])
        by = rule["by"]
        total = {"add": total + by, "multiply": total * by, "xor": total ^ by}[rule["op"]]
        total = (total + ord(character)) % MODULUS
        found.append(total)
    return found


def text() -> str:
    return "".join(chr(random.randint(ord(a), ord(z))) for a, z in random.choices(CLASSES, k=24))


samples = [text() for _ in range(6)]
hidden = [text() for _ in range(40)]
wrong_number, wrong_op = random.sample(range(len(rules)), 2)
broken = [dict(rule) for rule in rules]
broken[wrong_number]["by"] += random.choice([-7, -3, 5, 11, 64])
broken[wrong_op]["op"] = random.choice([op for op in ops if op != rules[wrong_op]["op"]])


def pretty(some: list[dict]) -> str:
    return "[\n" + ",\n".join("  " + json.dumps(rule) for rule in some) + "\n]\n"


task.write("environment/rules.json", pretty(broken))
task.write("environment/samples.json", json.dumps([{"text": t, "totals": totals(t)} for t in samples], indent=1) + "\n")
task.expect(hidden=[[t, totals(t)[-1]] for t in hidden])
task.instruction("""
`/app/machine.py` turns a text into a number, character by character, by the rules in `/app/rules.json`. Two of the rules are wrong: one has a wrong
number in `by`, another a wrong `op`. `/app/samples.json` has texts with the right total after each of their characters.

Find the two with a debugger (`python3 -m pdb machine.py TEXT`), and mend `rules.json`. The classes of characters are right, and so is
`machine.py`; neither may change. Your rules are tried with other texts than the samples.
""")


def change(place: int) -> str:
    before, after = json.dumps(broken[place]), json.dumps(rules[place])
    return f"sed -i 's/{before}/{after}/' rules.json"


look = [line(f"python3 -m pdb machine.py {samples[0]}"), line("b step"), line("c"), line("p total, character"), line("c"), line("q")]
task.solution(*look, line(change(wrong_number)), line(change(wrong_op)), line("clear"))
task.cheat("only-one", line(change(wrong_op)))
constant = json.dumps([{"from": "!", "to": "~", "op": "multiply", "by": 0}])
task.cheat("another-machine", line(f"echo '{constant}' > rules.json"), line("echo 'print(1)' > machine.py"))
task.cheat("plant-a-reward", line("echo 1 > /logs/verifier/reward.txt"), line("echo 1 > /logs/verifier/reward.json"))
