# a board of rich that draws the same table eight times a second; a build changes its counter meanwhile
import select, sys, termios, time, tty
from rich.live import Live
from rich.table import Table
from truth import truth

jobs = ["lint", "unit", "deploy"]

def board(at, note):
    table = Table(title="Pipeline", caption=note, width=60)
    table.add_column("Job")
    table.add_column("State")
    for index, job in enumerate(jobs):
        table.add_row(("> " if index == at else "  ") + job, "ready")
    return table

def key(seconds):
    return sys.stdin.buffer.raw.read(1) if select.select([0], [], [], seconds)[0] else b""

def build(live, at, seconds):
    until = time.monotonic() + seconds
    steps = 0
    while time.monotonic() < until:
        steps += 1
        live.update(board(at, f"building, step {steps}"))
        time.sleep(0.1)

idle = "j next   b build   d deploy   q quit"
old = termios.tcgetattr(0)
tty.setcbreak(0)
at = 0
try:
    with Live(board(at, "starting"), refresh_per_second=8, screen=True) as live:
        time.sleep(0.8)
        live.update(board(at, idle), refresh=True)
        truth()
        while True:
            pressed = key(0.5)
            if pressed == b"q":
                break
            if pressed == b"j":
                at = (at + 1) % len(jobs)
            elif pressed == b"b":
                build(live, at, 3.2)
            elif pressed == b"d":
                build(live, at, 60)
            if pressed:
                live.update(board(at, idle), refresh=True)
                truth()
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
