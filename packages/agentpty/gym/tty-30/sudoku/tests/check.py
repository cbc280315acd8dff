"""The screen shows a grid that is right and has the given numbers."""

import sys

sys.path.insert(0, "/tests")
from judge import all_typed, expected, judge, screen

NUMBERS = set("123456789")


def check() -> bool:
    rows = [row.split("│")[1:10] for row in screen().splitlines() if row.count("│") == 10]
    grid = [[cell.strip() for cell in row] for row in rows]
    if len(grid) != 9 or {"S", "H", "N"} & set(all_typed()):
        return False
    given = expected()["givens"]
    columns = [list(column) for column in zip(*grid)]
    blocks = [[grid[r + i][c + j] for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)]
    is_solved = all(set(part) == NUMBERS for part in (*grid, *columns, *blocks))
    return is_solved and all(not number or str(number) == grid[at // 9][at % 9] for at, number in enumerate(given))


judge(check)
