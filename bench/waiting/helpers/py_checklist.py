# prompt_toolkit: a checklist, its own progress bar, an input dialog with a password, work
import time
from prompt_toolkit.shortcuts import ProgressBar, checkboxlist_dialog, input_dialog

time.sleep(0.6)
checkboxlist_dialog(title="Parts", text="What to copy?", values=[("a", "Accounts"), ("b", "Books")]).run()
with ProgressBar(title="copying") as bar:
    for i in bar(range(20)):
        time.sleep(0.9 if i == 12 else 0.05)
input_dialog(title="Unlock", text="Your PIN:", password=True).run()
time.sleep(60)
