# click: prompt, hidden prompt, confirm, progress bar, pause
import time
import click

time.sleep(0.8)
click.prompt("Project")
click.prompt("Token", hide_input=True)
with click.progressbar(range(20)) as bar:
    for _ in bar:
        time.sleep(0.07)
click.confirm("Upload")
time.sleep(1.2)
click.pause()
time.sleep(3)
