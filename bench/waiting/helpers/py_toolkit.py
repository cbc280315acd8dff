# prompt_toolkit: a session with a background coroutine, a dialog, and work between them
import asyncio, time
from prompt_toolkit import PromptSession
from prompt_toolkit.shortcuts import button_dialog

async def main():
    async def tick():
        while True:
            await asyncio.sleep(0.1)
    t = asyncio.create_task(tick())
    s = PromptSession()
    await s.prompt_async("sql> ")
    await asyncio.sleep(1.5)
    await s.prompt_async("more> ")
    t.cancel()
asyncio.run(main())
time.sleep(1.2)
button_dialog(title="Commit", text="Write it?", buttons=[("Yes", 1), ("No", 0)]).run()
time.sleep(3)
