"""A space of text for gymnasium: any characters, none at all, and samples that do no harm."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from .errors import AgentptyError
from .harmless import HARMLESS, REFUSAL


class Unicode(spaces.Text):
    """Texts of 0 to `max_length` code points, whichever they are.

    Gymnasium's own `Text` is a list of allowed characters, which would have to hold all of Unicode, and samples random
    ones, which would be typed into a shell.
    """

    def __init__(
        self, max_length: int, *, may_sample: bool = True, seed: int | np.random.Generator | None = None
    ) -> None:
        """Args: ``may_sample``: without it, :meth:`sample` raises `AgentptyError`."""
        # The characters are never asked for, but none at all is no character set.
        super().__init__(max_length, min_length=0, charset=" ", seed=seed)
        self.may_sample = may_sample

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """One of a few harmless texts. Errors: `AgentptyError` where sampling is refused; `ValueError` for a mask."""
        if not self.may_sample:
            raise AgentptyError("denied", REFUSAL)
        if mask is not None or probability is not None:
            raise ValueError("a space of any text has no mask")
        fitting = [text for text in HARMLESS if len(text) <= self.max_length]
        return fitting[int(self.np_random.integers(len(fitting)))]

    def contains(self, x: Any) -> bool:
        """Whether it is text that is short enough."""
        return isinstance(x, str) and len(x) <= self.max_length

    @property
    def is_np_flattenable(self) -> bool:
        """No: there is no list of characters to number them by."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unicode) and self.max_length == other.max_length

    def __repr__(self) -> str:
        return f"Unicode({self.max_length})"
