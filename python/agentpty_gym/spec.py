"""The specification of an environment, in Python's spelling. The daemon checks it, and names its errors."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

Program = str | Sequence[str]
"""A string is run by bash with ``-c``, a list directly."""


class Layer(TypedDict):
    """The contents of `folder` on this machine are at `target` inside after each reset."""

    target: str
    folder: str


class Success(TypedDict):
    """Once `text` appears, the episode ends with reward 1."""

    text: str


class AskedTask(TypedDict, total=False):
    """A task that is generated from a seed, or whose Dockerfile may run commands."""

    folder: str | os.PathLike[str]
    seed: int
    host_env: Mapping[str, str]
    """The values of its ``${NAME}`` variables."""
    allow_run: bool
    offline_ok: bool
    """Play it without the network that it needs."""
    context: str
    """A folder below the task's: only its Dockerfile is used, and nothing is judged."""


class Clock(TypedDict):
    """The time that programs see at each reset, as ISO 8601 with a zone; it advances from there."""

    start_at: str


class EnvironmentSpec(TypedDict, total=False):
    """Everything is optional: the default is an interactive bash in a container without network."""

    task: str | os.PathLike[str] | AskedTask
    """A task's folder, as Harbor has it, or one that comes with agentpty, like ``tty-30/htop-kill``: its files, its
    program, and its verifier's reward at the end of an episode."""
    program: Program
    terminals: Mapping[str, Program]
    """Further terminals of the same container, by name."""
    files: str | os.PathLike[str]
    """A folder of this machine, opened read-only: the contents of the working folder after each reset."""
    layers: Sequence[Layer]
    workdir: str
    env: Mapping[str, str]
    clock: Clock
    """Needs libfaketime on the daemon's machine. Without it, programs see the real time."""
    rows: int
    cols: int
    isolation: Literal["container", "none"]
    """``none``: a plain folder of this machine. Programs there have all of your rights."""
    reset_by: Literal["auto", "overlay-memory", "overlay-disk", "copy", "git"]
    network: Literal["off", "on"]
    observation: Literal["delta", "screen", "both"]
    text: Literal["rendered", "raw"]
    """``raw``: tabs, trailing blanks and line ends are unchanged."""
    success: Success | str
    """A string means ``{"text": …}``."""
    step_timeout_ms: int
    """A slower step ends as ``busy``, and can be followed by a wait."""
    max_episode_steps: int


def spec_input(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Build the input of ``makeEnvironment``. Unknown names are passed on, so that the daemon judges them."""
    sent = {_camel(name): value for name, value in spec.items() if value is not None}
    if "files" in sent:
        sent["files"] = os.path.abspath(os.fspath(sent["files"]))
    if isinstance(sent.get("clock"), Mapping):
        sent["clock"] = {_camel(name): value for name, value in sent["clock"].items()}
    if "task" in sent:
        sent["task"] = _task(sent["task"])
    if isinstance(sent.get("success"), str):
        sent["success"] = {"text": sent["success"]}
    return sent


def _task(task: Any) -> Any:
    if isinstance(task, Mapping):
        return {_camel(name): _folder(value) if name == "folder" else value for name, value in task.items()}
    return _folder(task)


def _folder(path: Any) -> str:
    # A name that is not a folder here may be a task included in agentpty.
    name = os.fspath(path)
    return os.path.abspath(name) if os.path.isdir(name) else name


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)
