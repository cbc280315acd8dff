"""No two modules of the package import each other, directly or over other modules."""

from __future__ import annotations

import ast
import unittest
from pathlib import Path

import support

PACKAGE = "agentpty_gym"
FOLDER = support.PYTHON / PACKAGE


def module_of(file: Path) -> str:
    parts = file.relative_to(FOLDER.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_names(source: str, package: str) -> list[str]:
    """Return every dotted name that `source` imports, including in functions and under ``TYPE_CHECKING``."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            names += [f"{origin}.{alias.name}" for alias in node.names]
    return names


def nearest_module(name: str, modules: set[str]) -> str | None:
    """Return the module that `name` is, or that defines it; None for a name of another package."""
    while name not in modules:
        name, dot, _ = name.rpartition(".")
        if not dot:
            return None
    return name


def read_imports(folder: Path) -> dict[str, set[str]]:
    """Return the modules of the package that each one imports."""
    files = {module_of(file): file for file in folder.rglob("*.py")}
    imports = {}
    for module, file in files.items():
        package = module if file.name == "__init__.py" else module.rpartition(".")[0]
        names = imported_names(file.read_text(), package)
        imports[module] = {found for name in names if (found := nearest_module(name, set(files)))} - {module}
    return imports


def find_circle(imports: dict[str, set[str]]) -> list[str]:
    """Return the modules of one circle, with the first one again at its end; empty without a circle."""
    done: set[str] = set()

    def follow(path: list[str]) -> list[str]:
        for target in sorted(imports[path[-1]] - done):
            if target in path:
                return [*path[path.index(target) :], target]
            if circle := follow([*path, target]):
                return circle
        done.add(path[-1])
        return []

    for module in sorted(imports):
        if module not in done and (circle := follow([module])):
            return circle
    return []


class Imports(unittest.TestCase):
    def test_no_modules_import_each_other_in_a_circle(self) -> None:
        imports = read_imports(FOLDER)
        self.assertIn(f"{PACKAGE}.transfer", imports[f"{PACKAGE}.env"], "imports are read")
        circle = find_circle(imports)
        self.assertEqual(circle, [], f"circle of imports: {' -> '.join(circle)}. Move what both need into a lower module.")

    def test_late_imports_and_those_for_types_are_read(self) -> None:
        source = "\n".join(
            [
                "from . import transfer",
                "from .spec import Layer as L",
                "import agentpty_gym.wire",
                "if TYPE_CHECKING:",
                "    from .env import Environment",
                "def late():",
                "    from agentpty_gym import client",
            ]
        )
        names = ["transfer", "spec.Layer", "wire", "env.Environment", "client"]
        self.assertEqual(sorted(imported_names(source, PACKAGE)), sorted(f"{PACKAGE}.{name}" for name in names))

    def test_a_circle_over_several_modules_is_found(self) -> None:
        self.assertEqual(find_circle({"a": {"b", "d"}, "b": {"c"}, "c": {"b"}, "d": set()}), ["b", "c", "b"])
        self.assertEqual(find_circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}), [])


if __name__ == "__main__":
    unittest.main()
