"""Twelve prompts are answered, each of which throws away what was typed before it was there.

Asks for waiting until a program really reads: it sleeps before each prompt, drains its input, and reads in four ways (lines, select, single
keys, poll). The words are shown by the prompts alone, and the program on the terminal is the only one."""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

PROMPTS = 12

task = Task(__file__)
random = task.random
words = task.words(PROMPTS, 4)
how = random.sample(["line", "select", "key", "poll"] * (PROMPTS // 4), PROMPTS)
seconds = [round(random.uniform(0, 1.5), 2) for _ in range(PROMPTS)]
questions = [{"word": word, "how": kind, "seconds": pause} for word, kind, pause in zip(words, how, seconds)]
task.write("environment/questions.json", json.dumps(questions))
task.expect(words=words)
task.instruction("""
The program on the terminal asks twelve times for a word, typed backwards. Before each prompt it works for a moment and throws away what was typed
meanwhile, so type only once it asks. Three wrong answers end it. Answer all twelve.
""")

answers = [word[::-1] for word in words]
task.solution(*(line(answer) for answer in answers))
task.cheat("type-ahead", line("\r".join(answers)))
task.cheat("forwards", *(line(word) for word in words))
