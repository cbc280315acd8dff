"""A text of 24 KB goes into a file through a terminal, and a flood of some 100 MB is stopped by hand.

Asks for typing or pasting far more than a terminal holds at once, without a byte lost or doubled, and for an interrupt that reaches a program which writes as fast
as it is read. The text is in the instruction alone, and the code is printed only for those who stop the flood."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, keystrokes, line, masked, paste, wait  # noqa: E402

SIZE = 24 * 1024

task = Task(__file__)
random = task.random
lines: list[str] = []
size = 0
while size < SIZE - 120:
    words = task.words(random.randrange(6, 12), random.choice([1, 2, 3, 4]))
    marks = [random.choice(["", "", ",", ";", "'s", "!", " $x", " `y`", " \\", '"']) for _ in words]
    text = "".join(f"{word}{mark} " for word, mark in zip(words, marks)).rstrip()
    lines.append(text)
    size += len(text) + 1
lines.append("x" * (SIZE - size - 1))
text = "\n".join(lines) + "\n"
code = task.token()
key = random.randrange(1000, 9_000_000)
task.write("environment/flood.txt", f"{key} {masked(code, key)}\n")
task.expect(text=text, code=code)
task.instruction(f"""
Two things are to be done in the shell on the terminal.

1. Run `python3 /app/flood.py`. It floods the terminal with numbered lines. Interrupt it with Ctrl-C: then it prints a code. Who lets it run for 25 seconds gets none.
   Write the code to `/app/code.txt`.
2. Write the text between the two rows of dashes below to `/app/text.txt`, exactly ({SIZE} bytes, each line with its line feed; the rows of dashes are no part of it). A here-document
   is a good way: `cat > /app/text.txt <<'END'`.

----------
{text}----------
""")

stop = [keystrokes("python3 /app/flood.py\n"), wait("000000009 of the flood"), keys("ctrl+c")]
here = [paste(f"cat > /app/text.txt <<'END'\n{text}END"), keys("enter")]
keep = line(f"echo {code} > /app/code.txt")
done = [line("clear")]
task.solution(*stop, keep, *here, *done)
task.cheat("without-the-flood", line("echo stopped > /app/code.txt"), *here, *done)
task.cheat("half-of-the-text", *stop, keep, paste(f"cat > /app/text.txt <<'END'\n{text[:12_000]}\nEND"), keys("enter"), *done)
task.cheat("without-a-terminal", line("timeout -s INT 1 python3 /app/flood.py | tail -1 > /app/code.txt"), *here, *done)
