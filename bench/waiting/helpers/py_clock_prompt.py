# prompt_toolkit with the time in the prompt itself, drawn every second
import time
from prompt_toolkit import PromptSession

session = PromptSession()
for n in range(9):
    session.prompt(lambda: f"{time.strftime('%H:%M:%S')} bay {n}> ", refresh_interval=1)
    time.sleep(60 if n == 2 else 1.3)
