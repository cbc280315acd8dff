"""A package is configured in debconf's dialogs.

Asks for dialogs of five kinds, in an order that nobody knows before, of which one only comes after a certain answer. debconf itself writes its database, and it is the only
program on the terminal."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Action, Task, keys, send  # noqa: E402

task = Task(__file__)
random = task.random
words = task.words(20, 3)
owner, old_owner, password = words[0], words[1], task.token()
modes, parts = words[2:7], words[7:12]
mode = random.choice(modes[1:])
wanted = [part for part in parts if part in random.sample(parts, 2)]
port = str(random.randrange(1024, 65_000))

templates = {
    "owner": f"Type: string\nDefault: {old_owner}\nDescription: Owner:\n Who owns the service?\n",
    "mode": f"Type: select\nChoices: {', '.join(modes)}\nDefault: {modes[0]}\nDescription: Mode:\n How is it to run?\n",
    "parts": f"Type: multiselect\nChoices: {', '.join(parts)}\nDescription: Parts:\n What is it to have?\n",
    "password": "Type: password\nDescription: Password:\n What is the password of the service?\n",
    "network": "Type: boolean\nDefault: false\nDescription: Listen to the network?\n Others may use it then.\n",
}
order = random.sample(list(templates), len(templates))
port_template = "Type: string\nDescription: Port:\n Which port does it listen at?\n"
task.write(
    "environment/service.templates",
    "\n".join(f"Template: service/{key}\n{text}" for key, text in {**templates, "port": port_template}.items()),
)
asked = []
for key in order:
    asked += [f"db_input critical service/{key} || true", "db_go || true"]
    if key == "network":
        asked += ["db_get service/network", 'if [ "$RET" = true ]; then', "  db_input critical service/port || true", "  db_go || true", "fi"]
script = ["#!/bin/sh", ". /usr/share/debconf/confmodule", "db_x_loadtemplatefile /app/service.templates service", *asked]
task.write("environment/service.config", "\n".join(script) + "\n").chmod(0o755)

answers = {"owner": owner, "mode": mode, "parts": ", ".join(wanted), "password": password, "network": "true", "port": port}
task.expect(answers={f"service/{key}": value for key, value in answers.items()})
task.instruction(f"""
The terminal shows the questions that a package asks when it is installed (debconf). They come in any order. Answer them so:

- Owner: `{owner}`
- Mode: `{mode}`
- Parts: exactly {" and ".join(f"`{part}`" for part in wanted)}
- Password: `{password}`
- Listen to the network: yes, at the port {port}
""")


def typed(key: str, listens: bool = True) -> list[Action]:
    toggles = [name for part in parts for name in ([*(["space"] if part in wanted else []), "down"])]
    return {
        "owner": [keys(*["backspace"] * len(old_owner)), send(owner), keys("enter")],
        "mode": [keys(*["down"] * modes.index(mode)), keys("enter")],
        "parts": [keys(*toggles), keys("tab"), keys("enter")],
        "password": [send(password), keys("enter")],
        "network": [keys("left"), keys("enter"), send(port), keys("enter")] if listens else [keys("enter")],
    }[key]


task.solution(*(action for key in order for action in typed(key)))
task.cheat("only-enter", *[keys("enter")] * 8)
task.cheat("without-the-network", *(action for key in order for action in typed(key, listens=False)))
task.cheat("interrupt", *typed(order[0]), keys("ctrl+c"), send("cp service.templates config.dat\r"))
