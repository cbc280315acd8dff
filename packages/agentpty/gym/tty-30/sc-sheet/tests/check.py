"""The formulas give the right numbers, for these prices and counts and for others."""

import sys

sys.path.insert(0, "/tests")
import re  # noqa: E402

from judge import expected, judge, read_text  # noqa: E402

TOKEN = re.compile(r"\s*(@sum|[A-Z]{1,2}\d{1,4}|\d+(?:\.\d*)?|\.\d+|[-+*/():%])", re.IGNORECASE)
DEPTH = 40


class Sheet:
    """As much of sc's language as sums and products need: numbers, cells, + - * /, brackets, @sum of a range."""

    def __init__(self, cells: dict[str, str]) -> None:
        self.cells = cells
        self.known: dict[str, float] = {}

    def value(self, cell: str, depth: int = 0) -> float:
        if depth > DEPTH:
            raise ValueError(f"{cell} depends on itself")
        if cell not in self.known:
            text = self.cells.get(cell, "0")
            tokens = TOKEN.findall(text)
            if len(text) > 500 or "".join(tokens).replace(" ", "") != text.replace(" ", ""):
                raise ValueError(f"{cell}: {text[:80]}")
            rest = [token.upper() for token in tokens]
            self.known[cell] = self.sum(rest, depth)
            if rest:
                raise ValueError(f"{cell}: {rest}")
        return self.known[cell]

    def sum(self, rest: list[str], depth: int) -> float:
        total = self.product(rest, depth)
        while rest and rest[0] in "+-":
            total += self.product(rest, depth) if rest.pop(0) == "+" else -self.product(rest, depth)
        return total

    def product(self, rest: list[str], depth: int) -> float:
        total = self.one(rest, depth)
        while rest and rest[0] in "*/":
            total = total * self.one(rest, depth) if rest.pop(0) == "*" else total / self.one(rest, depth)
        return total

    def one(self, rest: list[str], depth: int) -> float:
        token = rest.pop(0)
        if token in ("-", "+"):
            return self.one(rest, depth) * (-1 if token == "-" else 1)
        if token == "(":
            total = self.sum(rest, depth)
            close(rest, ")")
            return total
        if token == "@SUM":
            return self.range(rest, depth)
        return float(token) if token[0].isdigit() or token[0] == "." else self.value(token, depth + 1)

    def range(self, rest: list[str], depth: int) -> float:
        close(rest, "(")
        (first, top), (last, bottom) = place(rest.pop(0)), place((close(rest, ":"), rest.pop(0))[1])
        close(rest, ")")
        if first != last or bottom - top > 100:
            raise ValueError("no range of one column")
        return sum(self.value(f"{first}{row}", depth + 1) for row in range(top, bottom + 1))


def place(cell: str) -> tuple[str, int]:
    return cell.rstrip("0123456789"), int(cell.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def close(rest: list[str], wanted: str) -> None:
    if rest.pop(0) != wanted:
        raise ValueError(f"no {wanted}")


def is_right(cells: dict[str, str], prices: list[int], counts: list[int], tax: int) -> bool:
    filled = dict(cells)
    for row, (price, count) in enumerate(zip(prices, counts)):
        filled[f"B{row}"], filled[f"C{row}"] = str(price), str(count)
    products = [price * count for price, count in zip(prices, counts)]
    wanted = [*products, sum(products), sum(products) * (100 + tax) / 100]
    sheet = Sheet(filled)
    return all(abs(sheet.value(f"D{row}") - value) < 0.01 for row, value in enumerate(wanted))


def check() -> bool:
    known = expected()
    cells: dict[str, str] = dict(re.findall(r"^let ([A-Z]+\d+) = (.*)$", read_text("/app/sheet.sc"), re.MULTILINE))
    prices, counts, tax = known["prices"], known["counts"], known["tax"]
    given = Sheet(cells)
    for row in range(known["rows"]):
        if (given.value(f"B{row}"), given.value(f"C{row}")) != (prices[row], counts[row]):
            return False
    others = [price * 3 + 1 for price in prices], [count + 5 for count in counts]
    return is_right(cells, prices, counts, tax) and is_right(cells, *others, tax)


judge(check)
