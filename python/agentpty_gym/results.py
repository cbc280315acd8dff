"""What comes back from an environment."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Info = dict[str, Any]
"""What is known besides the observation, in Python's spelling: ``state`` (``ready``, ``busy``, ``exited``), ``kind``,
``confidence``, ``exit_code``, ``cursor``, ``invalid_bytes``, ``timing``, ``step``, ``episode_id``, ``terminal_id``, ``rewards``,
``infra_error``, … What is not known is not there."""

Action = str | Mapping[str, Any]
"""A string is typed, and Enter pressed. A mapping goes as it is: ``{"type": "keys", "keys": ["C-c"]}``,
``{"type": "wait", "ms": 500}``, ``{"type": "finish"}``, ``{"keystrokes": "ls\\n", "duration": 1}``, …"""


@dataclass(frozen=True)
class ResetResult:
    """The beginning of an episode."""

    observation: str
    info: Info = field(repr=False)

    @property
    def infra_error(self) -> Mapping[str, str] | None:
        """``code`` and ``message`` when the machinery has failed: there is no episode then."""
        return self.info.get("infra_error")


@dataclass(frozen=True)
class StepResult:
    """What came of an action. With :attr:`infra_error` the reward means nothing: mask the episode."""

    observation: str
    reward: float
    terminated: bool
    truncated: bool
    info: Info = field(repr=False)

    @property
    def infra_error(self) -> Mapping[str, str] | None:
        """``code`` and ``message`` when the machinery has failed; the step is truncated then."""
        return self.info.get("infra_error")

    @property
    def done(self) -> bool:
        """The episode is over."""
        return self.terminated or self.truncated


@dataclass(frozen=True)
class ForkResult:
    """How a fork has come as far as its original."""

    replayed: int
    """Actions that were taken again."""
    differs_at: int | None
    """The first step that has shown something else; None: no step has."""


@dataclass(frozen=True)
class TaskAbout:
    """The task that an environment is made of."""

    name: str
    instruction: str
    step: str | None
    """Of a task of several steps, the one that is played; None: it has none."""
    notes: tuple[str, ...]
    """What is not as the task says."""


@dataclass(frozen=True)
class Verification:
    """What the verifier of a task says of an episode."""

    reward: float
    """The key ``reward``, or the mean of all; 0 where the verifier has given none."""
    rewards: Mapping[str, float] | None
    """All that it has given; None: none."""
    problem: str | None
    """Why it has given none."""
    output: str
    """What it has said, its end."""
    next_step: str | None
    """Of a task of several: ``fork("files")`` goes on with it."""


@dataclass(frozen=True)
class ExecResult:
    """What a command said that was run beside the terminals."""

    stdout: bytes
    stderr: bytes
    exit_code: int | None
    """None: it was ended after its time."""
    dropped_bytes: int = 0
    """What was said beyond the first 8 MiB of each."""

    @property
    def text(self) -> str:
        """Its standard output, as text."""
        return self.stdout.decode(errors="replace")


DETERMINISTIC = frozenset(
    {"state", "kind", "exit_code", "signal", "step", "isolation", "reset_by", "rewards", "infra_error"}
)
"""What of `info` is the same in two episodes that went the same way: no times, names or offsets."""


def info_of(sent: Mapping[str, Any]) -> Info:
    """`info` as the daemon sends it, in Python's spelling. The names of rewards are the task's own."""
    info = {_snake(name): value for name, value in sent.items()}
    # JSON writes 6.0 as 6: an array that gymnasium makes for the first would cut off what the others have behind the point.
    if "timing" in info:
        info["timing"] = {_snake(name): float(value) for name, value in info["timing"].items()}
    if "rewards" in info:
        info["rewards"] = {name: float(value) for name, value in info["rewards"].items()}
    return info


def shown_info(info: Info, *, strict: bool) -> Info:
    """`strict`: only what is deterministic."""
    return {name: value for name, value in info.items() if name in DETERMINISTIC} if strict else info


def task_of(made: Mapping[str, Any]) -> TaskAbout | None:
    """As the daemon tells it of an environment; None: it has no task."""
    task = made.get("task")
    return None if task is None else TaskAbout(**{**task, "notes": tuple(task["notes"])})


def after_instruction(task: TaskAbout | None, observation: str) -> str:
    """What is shown first to a model that is told nothing else: what is to be done, and the terminal."""
    return observation if task is None else f"{task.instruction}\n\n{observation}"


def verification_of(sent: Mapping[str, Any]) -> Verification:
    """As the daemon sends it."""
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
