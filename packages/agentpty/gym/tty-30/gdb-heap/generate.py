"""A record is found in the heap of a running program.

Asks for a dialog with gdb: where the heap is, a search in it, a pointer that is followed. The records came through a pipe and are in no file, and the
program that holds them has no symbols and cannot be started again."""

import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, line  # noqa: E402

RECORDS = 80
SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record { unsigned number, kind; char *text; struct record *next; };

int main(void) {
    static struct record *first;
    char text[64];
    unsigned number, kind;
    while (scanf("%u %u %63s", &number, &kind, text) == 3) {
        struct record *record = malloc(sizeof *record);
        *record = (struct record){number, kind, strdup(text), first};
        memset(text, 0, sizeof text);
        first = record;
    }
    puts("!");
    fflush(stdout);
    for (;;) pause();
}
"""

task = Task(__file__)
random = task.random
kinds = random.sample(range(1000, 9000), 4)
numbers = random.sample(range(100_000, 4_000_000_000), RECORDS)
records = [(number, random.choice(kinds), task.token()) for number in numbers]
# The same number again, of another kind.
number, kind, wanted = random.choice(records)
other = random.choice([one for one in kinds if one != kind])
records.insert(random.randrange(RECORDS // 2), (number, other, task.token()))

task.write("environment/records", "".join(f"{n} {k} {text}\n" for n, k, text in records))
keeper = task.out / "environment/keeper"
compiler = ["cc", "-O1", "-s", "-Wl,--build-id=none", "-x", "c", "-", "-o", str(keeper)]
subprocess.run(compiler, input=SOURCE.encode(), check=True)
task.expect(answer=wanted)
task.instruction(f"""
On the terminal gdb is attached to `keeper`, a running program without symbols. It holds a linked list of records on its heap:

```c
struct record {{ unsigned number, kind; char *text; struct record *next; }};
```

What is the `text` of the record with the number {number} and the kind {kind}? Write it to `/app/answer.txt` (in gdb:
`shell echo ... > /app/answer.txt`). The program has read its records once; they are nowhere else.
""")

pattern = number.to_bytes(4, "little") + kind.to_bytes(4, "little")


def find(mark: bytes) -> list[str]:
    return [
        "python maps = gdb.execute('info proc mappings', to_string=True).splitlines()",
        "python start, end = next([int(x, 16) for x in row.split()[:2]] for row in maps if '[heap]' in row)",
        f"python at = gdb.selected_inferior().search_memory(start, end - start, bytes.fromhex('{mark.hex()}'))",
        "python gdb.set_convenience_variable('record', int(at))",
        "x/s *(char **)($record + 8)",
        "python text = gdb.parse_and_eval('*(char **)($record + 8)').string()",
        "python with open('/app/answer.txt', 'w') as file: file.write(text)",
    ]


task.solution(*map(line, find(pattern)))
task.cheat("another-kind", *map(line, find(number.to_bytes(4, "little") + other.to_bytes(4, "little"))))
task.cheat("from-the-files", line("shell strings keeper records > answer.txt"), line("shell cat records >> answer.txt"))
task.cheat("start-it-again", line("run"), line("y"), keys("ctrl+c"), *map(line, find(pattern)))
