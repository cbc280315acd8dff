"""Four bytes of a binary file are patched in a hex editor.

Asks for searching and typing in a full-screen program whose cursor moves by half bytes. hexedit starts nothing and writes only the file it
shows."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, keys, line, send  # noqa: E402

SIZE = 96 * 1024

task = Task(__file__)
random = task.random
image = bytearray(random.randbytes(SIZE))
mark = random.randbytes(4)
place = random.randrange(SIZE // 2, SIZE - 64) & ~3
decoys = [random.randrange(1024, SIZE // 2 - 64) & ~3, place + 20]
for at in decoys:
    image[at : at + 4] = mark[::-1]
image[place : place + 4] = mark
distance = random.randrange(5, 14)
value = random.randrange(0x10000000, 0xFFFFFFFF)
patched = bytearray(image)
patched[place + distance : place + distance + 4] = value.to_bytes(4, "little")

task.write("environment/image.bin", bytes(image))
task.write("tests/image.bin", bytes(patched))
task.instruction(f"""
The terminal shows `image.bin` in hexedit. Somewhere in it are the four bytes `{mark.hex(" ")}`, exactly once. {distance} bytes behind the first of
them (so at its offset plus {distance}) a number of 32 bits is stored, little-endian. Set it to `0x{value:08x}`. Change nothing else, save the
file, and leave hexedit.
""")

search = [keys("/"), line(mark.hex())]
go = [keys("enter"), line(f"{place + distance:x}")]
little, big = value.to_bytes(4, "little").hex(), value.to_bytes(4, "big").hex()
leave = [keys("f2"), keys("ctrl+c")]
task.solution(*search, *go, send(little), *leave)
task.cheat("wrong-order", *search, *go, send(big), *leave)
task.cheat("decoy", keys("enter"), line(f"{decoys[0] + distance:x}"), send(little), *leave)
task.cheat("not-saved", *search, *go, send(little), keys("ctrl+c"))
