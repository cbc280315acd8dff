"""A wizard of seven dialogs in whiptail is answered; its pages come in an order that nobody knows before.

Asks for reading dialogs and moving in them: lists, check boxes, buttons, a field that already holds something. The program on the terminal
is the wizard, so the answers can be given in no other way."""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Action, Task, keys, send  # noqa: E402

task = Task(__file__)
random = task.random
names = task.words(30, 3)
host, old_host, password = names[0], names[1], task.token()
kinds = names[2:8]
region = random.choice(kinds[2:])
sizes = ["small", "medium", "large", "huge"]
size = random.choice(sizes[1:])
parts = names[8:14]
wanted = sorted(random.sample(parts, 3))
on = sorted(random.sample([part for part in parts if part not in wanted], 2) + wanted[:1])
keep, send_reports = random.sample([True, False], 2)

pages = [
    {"title": "Host", "kind": "inputbox", "text": "Name of the host:", "value": old_host},
    {"title": "Region", "kind": "menu", "text": "Where is it to run?", "items": kinds},
    {"title": "Size", "kind": "radiolist", "text": "How large is it to be?", "items": sizes, "on": ["small"]},
    {"title": "Parts", "kind": "checklist", "text": "What is to be installed?", "items": parts, "on": on},
    {"title": "Keep", "kind": "yesno", "text": "Keep the data that is there?"},
    {"title": "Reports", "kind": "yesno", "text": "Send reports of crashes?"},
    {"title": "Password", "kind": "passwordbox", "text": "Password of the administrator:"},
]
answers = {
    "Host": host,
    "Region": region,
    "Size": size,
    "Parts": wanted,
    "Keep": keep,
    "Reports": send_reports,
    "Password": password,
}


def downs(count: int) -> list[Action]:
    return [keys(*["down"] * count)] if count > 0 else []


def toggles() -> list[Action]:
    found: list[Action] = []
    for part in parts:
        found.append(keys(*(["space"] if (part in wanted) != (part in on) else []), "down"))
    return found


def yes_or_no(is_yes: bool) -> list[Action]:
    return [keys("enter")] if is_yes else [keys("tab"), keys("enter")]


typed = {
    "Host": [keys(*["backspace"] * len(old_host)), send(host), keys("enter")],
    "Region": [*downs(kinds.index(region)), keys("enter")],
    "Size": [*downs(sizes.index(size)), keys("space"), keys("enter")],
    "Parts": [*toggles(), keys("enter")],
    "Keep": yes_or_no(keep),
    "Reports": yes_or_no(send_reports),
    "Password": [send(password), keys("enter")],
}
order = random.sample(pages, len(pages))
task.write("environment/pages.json", json.dumps(order, indent=1))
task.expect(answers=answers)
yes = {True: "yes", False: "no"}
task.instruction(f"""
The terminal shows a wizard. Its pages come in any order. Answer them so:

- Host: `{host}`
- Region: `{region}`
- Size: `{size}`
- Parts: exactly {", ".join(f"`{part}`" for part in wanted)}
- Keep the data: {yes[keep]}
- Send reports: {yes[send_reports]}
- Password: `{password}`

The wizard ends by itself after the last page. A page that is left without an answer comes again.
""")

task.solution(*(action for page in order for action in typed[page["title"]]))
task.cheat("in-the-order-of-the-text", *(action for page in pages for action in typed[page["title"]]), keys("enter"))
task.cheat("only-enter", *[keys("enter")] * 12)
task.cheat("escape", *[keys("escape")] * 8, keys("ctrl+c"), send("echo '{}' > answers.json\r"))
