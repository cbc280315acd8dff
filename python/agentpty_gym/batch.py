"""Several environments of one kind over one connection, stepped concurrently without a process or a thread for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Unpack

from .client import Client
from .env import Environment
from .pending import Pending
from .results import Action, ResetResult, StepResult
from .spec import EnvironmentSpec

Results = dict[int, ResetResult | StepResult]


class Batch:
    """`size` environments of the same specification, by their index.

    Example:
        >>> batch = Batch(2, program=["python3", "-q"])
        >>> _ = batch.run(resets={0: 1, 1: 2})
        >>> batch.run(steps={0: "6 * 7"})[0].observation
        '42\\n>>>'
        >>> batch.close()
    """

    def __init__(
        self,
        size: int,
        *,
        client: Client | None = None,
        on_infra: Literal["raise", "info"] = "info",
        **spec: Unpack[EnvironmentSpec],
    ) -> None:
        """Errors: as :class:`Environment`; then none of them is left."""
        if size < 1:
            raise ValueError(f"a batch of {size} environments")
        self.environments: list[Environment] = []
        try:
            for _ in range(size):
                self.environments.append(Environment(client=client, on_infra=on_infra, **spec))
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return len(self.environments)

    def start(
        self, *, steps: Mapping[int, Action] | None = None, resets: Mapping[int, int | None] | None = None
    ) -> Callable[[], Results]:
        """Step some, by their actions, and reset others, by their seeds, concurrently.

        Returns:
            A function that waits for all of them. Call it once.
        """
        pending: dict[int, Pending[Any]] = {
            **{index: self.environments[index].start_reset(seed) for index, seed in (resets or {}).items()},
            **{index: self.environments[index].start_step(action) for index, action in (steps or {}).items()},
        }
        return lambda: {index: pending[index].result() for index in sorted(pending)}

    def run(
        self, *, steps: Mapping[int, Action] | None = None, resets: Mapping[int, int | None] | None = None
    ) -> Results:
        """Like :meth:`start`, but wait."""
        return self.start(steps=steps, resets=resets)()

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End them all. Repeating it is no error."""
        for environment in self.environments:
            environment.close()


EnvironmentBatch = Batch
"""Its former name."""


def spread_seeds(seed: int | Sequence[int | None] | None, size: int) -> list[int | None]:
    """Return a seed for each: a number and its successors. Errors: `ValueError` for a list of another length."""
    if seed is None:
        return [None] * size
    if isinstance(seed, Sequence):
        if len(seed) != size:
            raise ValueError(f"{len(seed)} seeds for {size} environments")
        return [None if one is None else int(one) for one in seed]
    return [int(seed) + index for index in range(size)]
