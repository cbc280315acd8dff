# rich: a status spinner, a progress bar, Prompt and Confirm
import time
from rich.console import Console
from rich.progress import track
from rich.prompt import Confirm, Prompt

c = Console()
with c.status("working"):
    time.sleep(1.5)
Prompt.ask("Choose", choices=["red", "blue"])
for _ in track(range(20), description="painting"):
    time.sleep(0.07)
Confirm.ask("Keep it")
with c.status("saving"):
    time.sleep(4)
