"""A sudoku is solved in nudoku.

Asks for reading a drawn grid and moving in it. What counts is the screen at the end, as it was recorded outside; the keys by which the program solves its puzzle itself, or gives a
hint, may not have been pressed."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import FINISH, Action, Task, keys, send  # noqa: E402

GIVENS = 36

task = Task(__file__)
random = task.random
ALL = set(range(1, 10))


def choices(grid: list[int], place: int) -> set[int]:
    row, column = divmod(place, 9)
    box = row // 3 * 27 + column // 3 * 3
    seen = set(grid[row * 9 : row * 9 + 9]) | set(grid[column::9])
    return ALL - seen - {grid[box + down * 9 + right] for down in range(3) for right in range(3)}


def solutions(grid: list[int], most: int) -> int:
    """How many there are, counted up to `most`."""
    empty = [(choices(grid, place), place) for place in range(81) if grid[place] == 0]
    if not empty:
        return 1
    possible, place = min(empty, key=lambda found: len(found[0]))
    count = 0
    for number in possible:
        grid[place] = number
        count += solutions(grid, most - count)
        grid[place] = 0
        if count >= most:
            break
    return count


def shuffled() -> list[int]:
    """Places within bands of three, and the bands."""
    return [band * 3 + place for band in random.sample(range(3), 3) for place in random.sample(range(3), 3)]


numbers = random.sample(range(1, 10), 9)
rows, columns = shuffled(), shuffled()
solved = [numbers[(row * 3 + row // 3 + column) % 9] for row in rows for column in columns]
puzzle = list(solved)
for place in random.sample(range(81), 81):
    if sum(number > 0 for number in puzzle) == GIVENS:
        break
    puzzle[place] = 0
    if solutions(puzzle, 2) > 1:
        puzzle[place] = solved[place]

stream = "".join(str(number) if number else "." for number in puzzle)
task.write("environment/puzzle.txt", stream + "\n")
task.expect(givens=puzzle)
task.instruction("""
The terminal shows a sudoku in nudoku. Solve it: every row, column and block of nine has the numbers 1 to 9. Leave the solved grid on the screen, and do not end the program.

The keys `S` (let the program solve it), `H` (hint) and `N` (another puzzle) are not allowed.
""")


def fill(grid: list[int]) -> list[Action]:
    typed = []
    for row in range(9):
        cells = "".join((str(grid[row * 9 + column]) if puzzle[row * 9 + column] == 0 else "") + "l" for column in range(8))
        last = str(grid[row * 9 + 8]) if puzzle[row * 9 + 8] == 0 else ""
        typed.append(send(cells + last + "h" * 8 + "j"))
    return typed


wrong = [number % 9 + 1 for number in solved]
task.solution(*fill(solved), FINISH)
task.cheat("solve-itself", send("S"), keys("enter"), FINISH)
task.cheat("hints", *[send("H")] * 50, FINISH)
task.cheat("wrong-numbers", *fill(wrong), FINISH)
