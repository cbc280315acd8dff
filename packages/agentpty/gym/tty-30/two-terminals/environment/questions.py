"""Asks fifteen questions, each once the one before is answered. A wrong answer ends it."""

import hashlib
import json
import signal
import sys

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
    signal.signal(number, signal.SIG_IGN)

with open("questions.json", encoding="utf-8") as file:
    questions = json.load(file)
for place, (question, right) in enumerate(questions, 1):
    answer = input(f"{place} of {len(questions)}: {question} = ").strip()
    if hashlib.sha256(answer.encode()).hexdigest() != right:
        sys.exit("That is wrong.")
with open("done.json", "w", encoding="utf-8") as file:
    json.dump([question for question, _ in questions], file)
print("All are answered.")
