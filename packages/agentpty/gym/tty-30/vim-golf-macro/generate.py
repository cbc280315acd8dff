"""A file is turned around line by line in vim, with 60 keys.

Asks for a recorded macro, or a substitution that is as short. The program is vim in restricted mode, so there is no shell to fall back
on, and the file is far too long to be typed with the keys that are allowed."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, line, send  # noqa: E402

task = Task(__file__)
random = task.random
count = random.randrange(120, 180)
divider, joint = random.sample("=~@%&", 2)
names, values = task.words(count, 3), task.words(count, 4)

task.write("environment/pairs.txt", "".join(f"{name}{divider}{value}\n" for name, value in zip(names, values)))
task.expect(text="".join(f"{value}{joint}({name})\n" for name, value in zip(names, values)))
task.instruction(f"""
The terminal shows `pairs.txt` in vim (restricted: it starts no other programs). Each of its {count} lines is `NAME{divider}VALUE`. Turn every
line into `VALUE{joint}(NAME)`, save the file and leave vim.

You may use 60 keys at most; each typed or pasted character is a key.
""")

leave = line(":wq")
record = [send(f'qa0"bdt{divider}xA{joint}('), keys("ctrl+r", "b"), send(")"), keys("escape"), send("jq")]
task.solution(*record, send(f"{count - 1}@a"), leave)
task.cheat("only-once", *record, leave)
task.cheat("shell", line(f":%!sed 's/(.*){divider}(.*)/\\2{joint}(\\1)/'"), keys("enter"), leave)
turned = f":%s/\\v^([a-z][a-z]*)[{divider}]([a-z][a-z]*)$/\\2\\{joint}(\\1)/ | set nonumber | noh"
task.cheat("too-long", line(turned), leave)
