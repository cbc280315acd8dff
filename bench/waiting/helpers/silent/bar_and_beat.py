# asyncio beside a heartbeat: bars that are drawn over themselves, a line that is typed ahead, and words without a mark after a bar
import asyncio, sys

from truth import truth

async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)

    async def heart():
        while True:
            await asyncio.sleep(0.11)

    beat = asyncio.create_task(heart())

    def show(text):
        sys.stdout.write(text)
        sys.stdout.flush()

    async def ask(question, early=0.0):
        show(question)
        await asyncio.sleep(early)
        truth()
        return (await reader.readline()).decode().strip()

    async def bar(steps, pause):
        for done in range(steps + 1):
            show(f"\r\033[2K{'#' * done}{'.' * (steps - done)} file {done} of {steps}")
            await asyncio.sleep(pause)

    await ask("Folder to scan: ")
    await bar(12, 0.25)
    show("\r\033[2KScanned, now type a name for the report ")
    truth("named")
    await reader.readline()
    await bar(10, 0.4)
    await ask("\nTitle: ", 1.5)
    await ask("Keep the report? [y/N] ")
    await bar(200, 0.3)
    beat.cancel()

asyncio.run(main())
