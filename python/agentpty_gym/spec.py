"""What an environment is made of, in Python's spelling. The daemon checks it, and says what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

Program = str | Sequence[str]
"""A string is run by bash with ``-c``, a list directly."""


class Layer(TypedDict):
    """What lies in `folder` on this machine lies at `target` inside after each reset."""

    target: str
    folder: str


class Success(TypedDict):
    """Once `text` appears, the episode ends with reward 1."""

    text: str


class EnvironmentSpec(TypedDict, total=False):
    """All of it can be left out: an interactive bash in a container without network."""

    program: Program
    terminals: Mapping[str, Program]
    """Further terminals of the same container, by their names."""
    files: str | os.PathLike[str]
    """A folder of this machine, which is only read: what lies in the working folder after each reset."""
    layers: Sequence[Layer]
    workdir: str
    env: Mapping[str, str]
    rows: int
    cols: int
    isolation: Literal["container", "none"]
    """``none``: a plain folder of this machine. What is played there can do all that you can."""
    reset_by: Literal["auto", "overlay-memory", "overlay-disk", "copy", "git"]
    network: Literal["off", "on"]
    observation: Literal["delta", "screen", "both"]
    success: Success | str
    """A string stands for ``{"text": …}``."""
    step_timeout_ms: int
    """A step that takes longer ends ``busy``, and can be followed by a wait."""
    max_episode_steps: int


def spec_input(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The input of ``makeEnvironment``. Names it does not know are passed on, so that the daemon judges them."""
    sent = {_camel(name): value for name, value in spec.items() if value is not None}
    if "files" in sent:
        sent["files"] = os.path.abspath(os.fspath(sent["files"]))
    if isinstance(sent.get("success"), str):
        sent["success"] = {"text": sent["success"]}
    return sent


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)
