"""What is doubled in a database of unknown tables is merged, in sqlite's shell.

Asks for exploring and changing data in a REPL. The shell runs in its safe mode, so it reads no other file and starts nothing."""

import contextlib
import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Task, line  # noqa: E402

PEOPLE = 60
DOUBLES = 15

task = Task(__file__)
random = task.random
customers, orders, address, customer, cents = [f"{word}_{part}" for word, part in zip(task.words(5, 2), "tcaor")]
names = task.words(PEOPLE, 4)
mails = [f"{name}@{random.choice(['post', 'mail', 'home'])}.example" for name in names]


def otherwise(mail: str) -> str:
    """The same, in other letters."""
    changed = "".join(random.choice([c.upper(), c]) for c in mail)
    return changed if changed != mail else mail.upper()


rows = mails + [otherwise(mail) for mail in random.sample(mails, DOUBLES)]
random.shuffle(rows)
people = list(enumerate(rows, 101))
bought = [(number, random.choice(people)[0], random.randrange(100, 99_999)) for number in range(1, 401)]

file = task.out / "environment/shop.db"
with contextlib.closing(sqlite3.connect(file)) as database:
    database.executescript(f"""
        CREATE TABLE {customers} (id INTEGER PRIMARY KEY, {address} TEXT NOT NULL);
        CREATE TABLE {orders} (id INTEGER PRIMARY KEY, {customer} INTEGER NOT NULL REFERENCES {customers}, {cents} INTEGER NOT NULL);
    """)
    database.executemany(f"INSERT INTO {customers} VALUES (?, ?)", people)
    database.executemany(f"INSERT INTO {orders} VALUES (?, ?, ?)", bought)
    database.commit()

keeper: dict[str, int] = {}
for number, mail in people:
    keeper.setdefault(mail.lower(), number)
owner = {number: keeper[mail.lower()] for number, mail in people}
kept = [[number, mail.lower()] for number, mail in people if owner[number] == number]
moved = [[number, owner[who], amount] for number, who, amount in bought]
sums = [[number, sum(amount for _, who, amount in moved if who == number)] for number, _ in kept]
task.expect(
    tables=[
        {"select": f"SELECT id, {address} FROM {customers} ORDER BY id", "rows": kept},
        {"select": f"SELECT id, {customer}, {cents} FROM {orders} ORDER BY id", "rows": moved},
        {"select": "SELECT customer, cents FROM totals ORDER BY customer", "rows": sums},
    ]
)
task.instruction("""
The terminal shows the shell of SQLite (safe mode) with the database of a shop. Find out what is in it. One table has customers with their addresses
of mail, another their orders.

Some customers are in it twice: their addresses differ only in large and small letters. Merge them: of each keep the row with the lowest id, let the orders of
the others belong to it, and delete the others. Write all addresses in small letters. Then make a table `totals (customer, cents)` with one row for each customer
that is left: the id, and what all orders of that customer cost together (0 without any). Leave the shell with `.quit`.
""")

lowest = f"(SELECT min(k.id) FROM {customers} k, {customers} c WHERE c.id = {customer} AND lower(k.{address}) = lower(c.{address}))"
move = f"UPDATE {orders} SET {customer} = {lowest};"
delete = f"DELETE FROM {customers} WHERE id NOT IN (SELECT min(id) FROM {customers} GROUP BY lower({address}));"
lower = f"UPDATE {customers} SET {address} = lower({address});"
total = (
    f"CREATE TABLE totals AS SELECT c.id AS customer, coalesce(sum({cents}), 0) AS cents "
    f"FROM {customers} c LEFT JOIN {orders} ON {customer} = c.id GROUP BY c.id;"
)
task.solution(*map(line, [".schema", move, delete, lower, total, "SELECT count(*) FROM totals;", ".quit"]))
task.cheat("orders-lost", *map(line, [delete, lower, total, ".quit"]))
task.cheat("other-file", line(".shell sqlite3 other.db"), line(".open other.db"), line(total), line(".quit"))
task.cheat("not-written", *map(line, ["BEGIN;", move, delete, lower, total, ".quit"]))
