"""A space of text for gymnasium: any characters, none at all, and harmless samples."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory

from .errors import AgentptyError
from .harmless import HARMLESS, REFUSAL


class Unicode(spaces.Text):
    """Texts of 0 to `max_length` code points of any kind.

    Gymnasium's own `Text` is a list of allowed characters, which would have to hold all of Unicode, and samples random
    ones, which would be typed into a shell.
    """

    def __init__(
        self, max_length: int, *, may_sample: bool = True, seed: int | np.random.Generator | None = None
    ) -> None:
        """Args: ``may_sample``: without it, :meth:`sample` raises `AgentptyError`."""
        # The characters are never used, but an empty character set is invalid.
        super().__init__(max_length, min_length=0, charset=" ", seed=seed)
        self.may_sample = may_sample

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return one of a few harmless texts. Errors: `AgentptyError` if sampling is refused; `ValueError` for a mask."""
        if not self.may_sample:
            raise AgentptyError("denied", REFUSAL)
        if mask is not None or probability is not None:
            raise ValueError("a space of any text has no mask")
        fitting = [text for text in HARMLESS if len(text) <= self.max_length]
        return fitting[int(self.np_random.integers(len(fitting)))]

    def contains(self, x: Any) -> bool:
        """Return whether it is text that is short enough."""
        return isinstance(x, str) and len(x) <= self.max_length

    @property
    def is_np_flattenable(self) -> bool:
        """False: there is no list of characters to number them by."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unicode) and self.max_length == other.max_length

    def __repr__(self) -> str:
        return f"Unicode({self.max_length})"


class _SharedTexts:
    """The texts in the shared memory of an ``AsyncVectorEnv``, in their current state; a copy is a tuple of strings.

    Gymnasium reads its observations from the memory once and copies them for each step, which of a tuple of strings
    would be the first ones forever.
    """

    def __init__(self, memory: Any, size: int, count: int) -> None:
        self._memory, self._size, self._count = memory, size, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < self._count:
            raise IndexError(index)
        cells = _cells(self._memory, self._size, index)
        return cells[1 : 1 + int(cells[0])].tobytes().decode("utf-32-le", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(self._count))

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)


def _cells(memory: Any, size: int, index: int) -> Any:
    """A length, and that number of code points."""
    return np.frombuffer(memory.get_obj(), dtype=np.uint32)[index * size : (index + 1) * size]


@create_shared_memory.register(Unicode)
def _create(space: Unicode, n: int = 1, ctx: Any = multiprocessing) -> Any:
    return ctx.Array("I", n * (space.max_length + 1))


@read_from_shared_memory.register(Unicode)
def _read(space: Unicode, shared_memory: Any, n: int = 1) -> _SharedTexts:
    return _SharedTexts(shared_memory, space.max_length + 1, n)


@write_to_shared_memory.register(Unicode)
def _write(space: Unicode, index: int, value: str, shared_memory: Any) -> None:
    points = np.frombuffer(value.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    cells = _cells(shared_memory, space.max_length + 1, index)
    cells[1 : 1 + len(points)] = points
    cells[0] = len(points)
