"""A program is made to take a branch that it never takes by itself.

Asks for a conditional breakpoint and a variable that is set at the right moment. The token is sealed with a value that exists only then: whoever jumps over
the comparison, or is one round off, gets another one."""

import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

ROUNDS = 5000
MASK = 0xFFFFFFFF
SOURCE = """#include <stdio.h>

static const unsigned char sealed[] = {%(sealed)s};

static unsigned stir(unsigned value, unsigned round) {
    value ^= value << 13;
    value ^= value >> 17;
    value ^= value << 5;
    return value + round * %(factor)uu;
}

static void open_gate(unsigned with) {
    char token[sizeof sealed + 1] = {0};
    for (unsigned i = 0; i < sizeof sealed; i++) {
        with = stir(with, i);
        token[i] = (char)(sealed[i] ^ (with >> 24));
    }
    FILE *file = fopen("/app/token.txt", "w");
    fprintf(file, "%%s\\n", token);
    fclose(file);
    printf("The gate is open: %%s\\n", token);
}

int main(void) {
    unsigned limit = %(start)uu, charge = 0;
    for (unsigned round = 1; round <= %(rounds)u; round++) {
        limit = stir(limit, round);
        charge = limit ^ 1;
        if (charge == limit)
            open_gate(charge);
    }
    puts("The gate stays shut.");
    return 0;
}
"""

task = Task(__file__)
random = task.random
token = task.token()
factor, start = random.getrandbits(32) | 1, random.getrandbits(32)
wanted = random.randrange(1000, 4900)


def stir(value: int, turn: int) -> int:
    value ^= value << 13 & MASK
    value ^= value >> 17
    value ^= value << 5 & MASK
    return value + turn * factor & MASK


limit = start
for turn in range(1, wanted + 1):
    limit = stir(limit, turn)
sealed, charge = [], limit
for place, byte in enumerate(token.encode()):
    charge = stir(charge, place)
    sealed.append(byte ^ charge >> 24)

values = {"sealed": ", ".join(map(str, sealed)), "factor": factor, "start": start, "rounds": ROUNDS}
text = SOURCE % values
task.write("environment/gate.c", text)
folder = task.out / "environment"
compiler = ["cc", "-g", "-O0", "-Wl,--build-id=none", f"-fdebug-prefix-map={folder.resolve()}=/app", "gate.c", "-o", "gate"]
subprocess.run(compiler, cwd=folder, check=True)
task.expect(answer=token)
task.instruction(f"""
On the terminal gdb has the program `gate` (its source is `gate.c`). In each of its rounds it compares `charge` with `limit`, which are never the same by
themselves. In round {wanted}, and in no other, make them the same by giving `charge` the value of `limit` just before they are compared, and let the
program run on. It then writes the right token to `/app/token.txt`.
""")

place = next(n for n, row in enumerate(text.splitlines(), 1) if "if (charge == limit)" in row)


def at_round(number: int) -> list:
    return [line(f"break gate.c:{place} if round == {number}"), line("run")]


go_on = line("continue")
task.solution(*at_round(wanted), line("set var charge = limit"), go_on)
task.cheat("jump", *at_round(wanted), line(f"tbreak {place + 1}"), line(f"jump {place + 1}"), go_on)
task.cheat("one-round-off", *at_round(wanted - 1), line("set var charge = limit"), go_on)
task.cheat("only-run", line("run"))
