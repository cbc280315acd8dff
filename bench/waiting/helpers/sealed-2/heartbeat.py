# a wizard of prompt_toolkit in asyncio, beside a task that sends a heartbeat each second and draws nothing
import asyncio, socket
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from truth import truth

async def heartbeat(connection):
    while True:
        await asyncio.sleep(1)
        connection.send(b"alive")

async def ask(session, question, **options):
    return await session.prompt_async(question, pre_run=truth, **options)

async def main():
    near, far = socket.socketpair()
    task = asyncio.create_task(heartbeat(near))
    session = PromptSession()
    await ask(session, "Name of the site: ", default="my-site")
    await asyncio.sleep(3.2)
    await ask(session, "Theme (light, dark) [light]: ", completer=WordCompleter(["light", "dark"]))
    await ask(session, "Password of the editor: ", is_password=True)
    await asyncio.sleep(60)
    task.cancel()
    far.close()

asyncio.run(main())
