# textual: an application that draws two panels, works in a task of its loop when a key is pressed, and says so only at its end
import asyncio
from textual.app import App
from textual.widgets import Static

class Board(App):
    async def on_mount(self):
        self.label = Static("press s to scan, w to wait")
        await self.view.dock(Static("orders"), edge="left", size=30)
        await self.view.dock(self.label)

    async def on_key(self, event):
        if event.key == "s":
            await asyncio.sleep(1.4)
            await self.label.update("scan is over, press another key")
        if event.key == "w":
            await self.label.update("waiting for the scanner")
            await asyncio.sleep(60)

Board.run()
