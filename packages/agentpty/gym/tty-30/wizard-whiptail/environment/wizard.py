"""Shows each page in whiptail and writes what was answered, once all were."""

import json
import signal
import subprocess
from typing import Any

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
    signal.signal(number, signal.SIG_IGN)


def ask(page: dict[str, Any]) -> Any:
    """Again and again, until it is answered."""
    kind, items = page["kind"], page.get("items", [])
    lists = [str(len(items))] if kind in ("menu", "radiolist", "checklist") else []
    for item in items:
        lists += [item, ""] if kind == "menu" else [item, "", "ON" if item in page["on"] else "OFF"]
    value = [page["value"]] if kind == "inputbox" else []
    words = ["whiptail", "--separate-output"]
    while True:
        done = subprocess.run(
            [*words, "--title", page["title"], f"--{kind}", page["text"], "20", "64", *lists, *value],
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if kind == "yesno" and done.returncode in (0, 1):
            return done.returncode == 0
        if done.returncode == 0:
            return sorted(done.stderr.split()) if kind == "checklist" else done.stderr


with open("pages.json", encoding="utf-8") as file:
    pages = json.load(file)
answers = {page["title"]: ask(page) for page in pages}
with open("answers.json", "w", encoding="utf-8") as file:
    json.dump(answers, file)
print("The wizard is done.")
