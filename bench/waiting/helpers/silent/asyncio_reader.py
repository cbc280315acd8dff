# asyncio with a reader on standard input that is never removed: it works in a thread, then behind a timer, and says nothing
import asyncio, hashlib, os, time
from truth import truth

def burn(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        hashlib.sha256(b"x" * 100_000)

async def main():
    lines = asyncio.Queue()
    loop = asyncio.get_running_loop()
    loop.add_reader(0, lambda: lines.put_nowait(os.read(0, 4096)))

    async def ask(question):
        print(question, end="", flush=True)
        truth()
        return await lines.get()

    await ask("Which disk? ")
    await loop.run_in_executor(None, burn, 3.2)
    await ask("Which partition? ")
    await asyncio.sleep(3.4)
    await ask("Which label? ")
    await asyncio.sleep(60)

asyncio.run(main())
