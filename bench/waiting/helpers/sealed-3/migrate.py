# asyncio: a migration with a bar, which asks in the middle of it, while a heartbeat ticks that draws nothing
import asyncio, sys
from truth import truth

beats = 0

async def heart():
    global beats
    while True:
        await asyncio.sleep(0.13)
        beats += 1

async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    keep = asyncio.create_task(heart())

    def show(text):
        sys.stdout.write(text)
        sys.stdout.flush()

    async def ask(question, early=0.0):
        show(question)
        await asyncio.sleep(early)
        truth()
        return (await reader.readline()).decode().strip()

    async def bar(first, last, pause):
        for done in range(first, last + 1):
            show(f"\r\033[K{'█' * done}{'░' * (30 - done)} table {done} of 30")
            await asyncio.sleep(pause)
        show("\n")

    base = await ask("Database to migrate: ")
    await bar(0, 14, 0.12)
    await ask("Table 15 has 3 rows without a key. Drop them? [y/N] ")
    await bar(15, 30, 0.22)
    await ask(f"Name for the copy of {base}: ", 1.9)
    await ask("Verify now (takes a while)? [Y/n] ")
    await asyncio.to_thread(sum, range(40_000_000))
    await ask("Everything is verified. Remove the old one? ")
    show("Removing? yes\n")
    await asyncio.sleep(60)
    keep.cancel()

asyncio.run(main())
