"""Asks for a passphrase twice, without echo, and keeps only what it hashes to."""

import getpass
import hashlib
import json
import signal
import time

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
    signal.signal(number, signal.SIG_IGN)

name = input("Name of the vault: ")
while True:
    print("One moment.")
    time.sleep(0.6)
    first = getpass.getpass("Passphrase: ")
    time.sleep(0.3)
    if getpass.getpass("Again: ") == first:
        break
    print("They differ.")
with open("kept.json", "w", encoding="utf-8") as file:
    json.dump({"name": name, "hash": hashlib.scrypt(first.encode(), salt=name.encode(), n=2048, r=8, p=1).hex()}, file)
print("It is kept.")
