"""Asks for five things in dialog. Whether they fit together it says only at the end; from each page one can go back."""

import json
import signal
import subprocess

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
    signal.signal(number, signal.SIG_IGN)

with open("rules.json", encoding="utf-8") as file:
    rules = json.load(file)

BACK = 3
answers = {"name": "", "zone": rules["zones"][0], "port": "80", "parts": [], "owner": ""}


def dialog(*words: str) -> tuple[int, str]:
    with_back = ["dialog", "--extra-button", "--extra-label", "Back", "--title"]
    done = subprocess.run([*with_back, *words], stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr.strip()


def page(key: str) -> tuple[int, object]:
    if key == "zone":
        zones = [word for zone in rules["zones"] for word in (zone, "")]
        return dialog("Zone", "--default-item", str(answers["zone"]), "--menu", "Choose a zone.", "18", "60", "9", *zones)
    if key == "parts":
        boxes = [w for part in rules["parts"] for w in (part, "", "on" if part in answers["parts"] else "off")]
        code, text = dialog("Parts", "--separate-output", "--checklist", "Choose the parts.", "18", "60", "9", *boxes)
        return code, sorted(text.split())
    return dialog(key.title(), "--inputbox", f"Enter the {key}.", "9", "60", str(answers[key]))


def fault() -> str | None:
    """The first of what does not fit."""
    if answers["port"] != rules["port"][answers["zone"]]:
        return f"In the zone {answers['zone']} only port {rules['port'][answers['zone']]} is free. Go back and change the port."
    if not answers["name"].endswith(rules["end"]):
        return f"Names of that port end in {rules['end']}. Go back and add it to the name."
    if rules["needed"] not in answers["parts"]:
        return f"With that name the part {rules['needed']} is needed too. Go back and add it."
    return None


order = ["name", "zone", "port", "parts", "owner"]
place = 0
while place < len(order):
    code, value = page(order[place])
    if code == 0:
        answers[order[place]] = value
        place += 1
    elif code == BACK:
        place = max(0, place - 1)
    wrong = fault() if place == len(order) else None
    if wrong is not None:
        subprocess.run(["dialog", "--title", "This does not fit", "--msgbox", wrong, "9", "60"], check=False)
        place -= 1
with open("answers.json", "w", encoding="utf-8") as file:
    json.dump(answers, file)
print("The wizard is done.")
