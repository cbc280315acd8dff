# trio: a task waits until the terminal is readable, another ticks; what was typed is worked on in a third
import sys, trio
from truth import truth

async def tick():
    while True:
        await trio.sleep(0.15)

async def work(line):
    with trio.move_on_after(60 if line == "long" else 1.5):
        await trio.sleep_forever()

async def main():
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tick)
        while True:
            print("trio> ", end="", flush=True)
            truth()
            await trio.lowlevel.wait_readable(sys.stdin)
            await work(sys.stdin.readline().strip())
            print("worked")

trio.run(main)
