"""The results of an environment."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Info = dict[str, Any]
"""Facts besides the observation, in Python's spelling: ``state`` (``ready``, ``busy``, ``exited``), ``kind``,
``confidence``, ``exit_code``, ``cursor``, ``invalid_bytes``, ``timing``, ``step``, ``episode_id``, ``terminal_id``, ``rewards``,
``infra_error``, … Unknown facts are absent."""

Action = str | Mapping[str, Any]
"""A string is typed with Enter. A mapping is passed on unchanged: ``{"type": "keys", "keys": ["C-c"]}``,
``{"type": "wait", "ms": 500}``, ``{"type": "finish"}``, ``{"keystrokes": "ls\\n", "duration": 1}``, …"""


@dataclass(frozen=True)
class ResetResult:
    """The beginning of an episode."""

    observation: str
    info: Info = field(repr=False)

    @property
    def infra_error(self) -> Mapping[str, str] | None:
        """``code`` and ``message`` if the machinery has failed: then there is no episode."""
        return self.info.get("infra_error")


@dataclass(frozen=True)
class StepResult:
    """The result of an action. With :attr:`infra_error` the reward has no meaning: mask the episode."""

    observation: str
    reward: float
    terminated: bool
    truncated: bool
    info: Info = field(repr=False)

    @property
    def infra_error(self) -> Mapping[str, str] | None:
        """``code`` and ``message`` if the machinery has failed; then the step is truncated."""
        return self.info.get("infra_error")

    @property
    def done(self) -> bool:
        """The episode is over."""
        return self.terminated or self.truncated


@dataclass(frozen=True)
class ForkResult:
    """How a fork has reached the state of its original."""

    replayed: int
    """The actions that were repeated."""
    differs_at: int | None
    """The first step with a different observation; None: no step."""


@dataclass(frozen=True)
class TaskAbout:
    """The task that an environment is made from."""

    name: str
    instruction: str
    step: str | None
    """The current step of a task with several; None: it has none."""
    notes: tuple[str, ...]
    """Deviations from the task."""


@dataclass(frozen=True)
class Verification:
    """The verdict of a task's verifier on an episode."""

    reward: float
    """The key ``reward``, or the mean of all; 0 if the verifier has given none."""
    rewards: Mapping[str, float] | None
    """All rewards of the verifier; None: none."""
    problem: str | None
    """The reason for a missing reward."""
    output: str
    """The end of the verifier's output."""
    next_step: str | None
    """For a task of several steps: ``fork("files")`` continues with it."""


@dataclass(frozen=True)
class ExecResult:
    """The output of a command that was run outside of the terminals."""

    stdout: bytes
    stderr: bytes
    exit_code: int | None
    """None: it was ended after its time limit."""
    dropped_bytes: int = 0
    """The omitted output beyond the first 8 MiB of each stream."""

    @property
    def text(self) -> str:
        """Its standard output, as text."""
        return self.stdout.decode(errors="replace")


DETERMINISTIC = frozenset(
    {"state", "kind", "exit_code", "signal", "step", "isolation", "reset_by", "rewards", "infra_error"}
)
"""The keys of `info` that are equal in two identical episodes: no times, names or offsets."""


def info_of(sent: Mapping[str, Any]) -> Info:
    """Convert the daemon's `info` to Python's spelling. The names of rewards are the task's own."""
    info = {_snake(name): value for name, value in sent.items()}
    # JSON writes 6.0 as 6: an array that gymnasium creates for the first one would truncate the fractions of the others.
    if "timing" in info:
        info["timing"] = {_snake(name): float(value) for name, value in info["timing"].items()}
    if "rewards" in info:
        info["rewards"] = {name: float(value) for name, value in info["rewards"].items()}
    return info


def shown_info(info: Info, *, strict: bool) -> Info:
    """`strict`: only what is deterministic."""
    return {name: value for name, value in info.items() if name in DETERMINISTIC} if strict else info


def task_of(made: Mapping[str, Any]) -> TaskAbout | None:
    """Parse the daemon's description of a task; None: the environment has none."""
    task = made.get("task")
    return None if task is None else TaskAbout(**{**task, "notes": tuple(task["notes"])})


def after_instruction(task: TaskAbout | None, observation: str) -> str:
    """The first text for a model without other instructions: the task's instruction, and the terminal."""
    return observation if task is None else f"{task.instruction}\n\n{observation}"


def verification_of(sent: Mapping[str, Any]) -> Verification:
    """Convert to the form that the daemon sends."""
    rewards = sent["rewards"]
    return Verification(
        reward=float(sent["reward"]),
        rewards=None if rewards is None else {name: float(value) for name, value in rewards.items()},
        problem=sent.get("problem"),
        output=sent["output"],
        next_step=sent["nextStep"],
    )


@functools.lru_cache(maxsize=256)
def _snake(name: str) -> str:
    return re.sub("[A-Z]", lambda found: "_" + found[0].lower(), name)
