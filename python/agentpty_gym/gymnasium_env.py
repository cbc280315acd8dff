"""One terminal as gymnasium's `Env`. Needs gymnasium and numpy."""

from __future__ import annotations

from typing import Any, Unpack

import gymnasium
import numpy as np

from .client import Client
from .env import Environment
from .errors import AgentptyError
from .gymnasium_space import Unicode
from .registration import register
from .results import Action, Info, shown_info
from .spec import EnvironmentSpec

__all__ = ["OBSERVATION_CHARACTERS_MAX", "TerminalEnv", "Unicode", "register"]

OBSERVATION_CHARACTERS_MAX = 300_000
"""The daemon shows at most 256 KiB of new output, and states what it has left out."""

ACTION_CHARACTERS_MAX = 65_536


class TerminalEnv(gymnasium.Env[str, Action]):
    """A program on a terminal: actions are typed, with Enter; observations are the new output.

    Besides the strings of its action space, a step takes the mappings that :data:`agentpty_gym.Action` names. When the
    machinery fails, a step is truncated and has ``info["infra_error"]``: its reward means nothing, mask the episode.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 10}

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        strict: bool = False,
        allow_unsafe: bool = False,
        client: Client | None = None,
        **spec: Unpack[EnvironmentSpec],
    ) -> None:
        """
        Args:
            render_mode: ``ansi``: :meth:`render` gives the screen as text with its colours.
            strict: `info` holds only what is the same in two episodes that went the same way, as `check_env` wants.
            allow_unsafe: Random actions also with isolation ``none``.
            client: Of which daemon.
            **spec: What the environment is made of.
        """
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r}; there are {self.metadata['render_modes']}")
        self.render_mode = render_mode
        self._strict = strict
        self.observation_space, self.action_space = spaces_for(spec, allow_unsafe=allow_unsafe)
        self.terminal = Environment(client=client, on_infra="info", **spec)
        """The environment itself, for methods that gymnasium lacks: `exec`, `upload`, `fork`, …"""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, Info]:
        """Begin an episode.

        Args:
            seed: Of the episode. Later episodes without one have theirs from this, so that a run can be repeated.
            options: None are known.
        """
        super().reset(seed=seed)
        result = self.terminal.reset(episode_seed(self, seed))
        return result.observation, shown_info(result.info, strict=self._strict)

    def step(self, action: Action) -> tuple[str, float, bool, bool, Info]:
        """Observation, reward, terminated, truncated, info. Errors: `AgentptyError` for an invalid action."""
        done = self.terminal.step(plain_action(action))
        return done.observation, done.reward, done.terminated, done.truncated, shown_info(done.info, strict=self._strict)

    def render(self) -> str | None:
        """The screen, with render mode ``ansi``."""
        return None if self.render_mode is None else self.terminal.render("ansi")

    def close(self) -> None:
        """End it. Repeating it is no error."""
        # A failed constructor leaves nothing to close.
        if hasattr(self, "terminal"):
            self.terminal.close()


def spaces_for(spec: EnvironmentSpec, *, allow_unsafe: bool) -> tuple[Unicode, Unicode]:
    """The spaces of observations and of actions."""
    may_sample = allow_unsafe or spec.get("isolation") != "none"
    return Unicode(OBSERVATION_CHARACTERS_MAX), Unicode(ACTION_CHARACTERS_MAX, may_sample=may_sample)


def episode_seed(env: TerminalEnv, seed: int | None) -> int | None:
    """None until a seed was given."""
    if seed is not None:
        return seed
    return None if env._np_random is None else int(env.np_random.integers(2**31))


def plain_action(action: Any) -> Action:
    """Convert numpy's own strings, which JSON does not know. Errors: `AgentptyError` for an invalid action."""
    if isinstance(action, np.ndarray) and action.ndim == 0:
        return plain_action(action.item())
    if isinstance(action, str):
        return str(action)
    if isinstance(action, dict):
        return action
    raise AgentptyError("invalid_input", f"{type(action).__name__} is no action.", "Use a string, or a mapping.")
