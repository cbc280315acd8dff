# prompt_toolkit whose bottom toolbar is redrawn four times a second
import time
from prompt_toolkit import prompt

for n in range(9):
    prompt(f"line {n}> ", bottom_toolbar=lambda: time.strftime(" %H:%M:%S"), refresh_interval=0.25)
    time.sleep(1.4)
