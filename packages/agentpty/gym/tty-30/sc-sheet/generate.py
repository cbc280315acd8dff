"""A spreadsheet is completed with formulas in sc.

Asks for moving and typing in a full-screen program with modes. What counts is the saved file: its formulas are calculated by the check with other numbers too, so results that were
typed in are worth nothing."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Action, Task, keys, line  # noqa: E402

task = Task(__file__)
random = task.random
rows = random.randrange(9, 14)
prices = [random.randrange(2, 90) for _ in range(rows)]
counts = [random.randrange(2, 40) for _ in range(rows)]
wrong = random.randrange(2, rows - 1)
right_price = random.randrange(100, 200)
tax = random.randrange(5, 25)
names = task.words(rows, 3)
cells = []
for row in range(rows):
    cells += [f'leftstring A{row} = "{names[row]}"', f"let B{row} = {prices[row]}", f"let C{row} = {counts[row]}"]
task.write("environment/sheet.sc", "\n".join(cells) + "\n")
prices[wrong] = right_price
task.expect(rows=rows, prices=prices, counts=counts, tax=tax, names=names)
task.instruction(f"""
The terminal shows a spreadsheet in sc. Rows 0 to {rows - 1} have names (A), prices (B) and counts (C). Complete it:

1. The price of `{names[wrong]}` is wrong. It is {right_price}.
2. Column D has the product of price and count in each of these rows, as a formula.
3. `D{rows}` has the sum of column D, as a formula.
4. `D{rows + 1}` has that sum with {tax} percent added, as a formula.

Save the file as `sheet.sc` and leave sc. Formulas are tried with other prices and counts.
""")


def at(cell: str, value: str) -> list[Action]:
    return [keys("g"), line(cell), keys("="), line(value)]


products = [action for row in range(rows) for action in at(f"D{row}", f"B{row}*C{row}")]
sums = [*at(f"D{rows}", f"@sum(D0:D{rows - 1})"), *at(f"D{rows + 1}", f"D{rows}*{100 + tax}/100")]
mend = at(f"B{wrong}", str(right_price))
leave = [keys("q"), keys("y")]
task.solution(*mend, *products, *sums, *leave)
totals = [price * count for price, count in zip(prices, counts)]
numbers = [action for row, total in enumerate(totals) for action in at(f"D{row}", str(total))]
task.cheat("numbers-instead", *mend, *numbers, *sums, *leave)
task.cheat("not-saved", *mend, *products, *sums, keys("q"), keys("n"))
task.cheat("wrong-price", *products, *sums, *leave)
