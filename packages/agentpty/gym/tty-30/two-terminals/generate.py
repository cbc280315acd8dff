"""Fifteen questions that nobody calculates in the head are carried to a calculator on a second terminal, and the answers back.

Asks for two terminals at once. The questions come one by one, each only after the right answer to the last, and each answer must have been seen on
the calculator's terminal before it is typed."""

import hashlib
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import FINISH, Action, Task, line  # noqa: E402

QUESTIONS = 15

task = Task(__file__)
random = task.random


def question() -> tuple[str, int]:
    a, b, c = (random.randrange(10**11, 10**12) for _ in range(3))
    modulus = random.randrange(10**8, 10**9)
    return f"({a} * {b} + {c}) % {modulus}", (a * b + c) % modulus


asked = [question() for _ in range(QUESTIONS)]
hashes = [[text, hashlib.sha256(str(number).encode()).hexdigest()] for text, number in asked]
task.write("environment/questions.json", json.dumps(hashes, indent=1))
task.expect(questions=[text for text, _ in asked], answers=[str(number) for _, number in asked])
task.instruction(f"""
The main terminal asks {QUESTIONS} questions, one after another. A second terminal, `bc`, has the calculator of that name. Let it calculate what the main
terminal asks, and type its answers there. A wrong answer ends the program.

Type each question there as it stands. Each answer must have been shown by `bc` before you type it.
""")


def carried(text: str, number: int) -> list[Action]:
    return [line(text, "bc"), line(str(number))]


task.solution(*(action for text, number in asked for action in carried(text, number)))
task.cheat("without-bc", *(line(str(number)) for _, number in asked))
task.cheat("echoed-by-bc", *(action for _, number in asked for action in [line(str(number), "bc"), line(str(number))]))
first = [action for text, number in asked[:5] for action in carried(text, number)]
task.cheat("the-first-five", *first, line("0"), FINISH)
