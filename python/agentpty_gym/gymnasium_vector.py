"""Many terminals as gymnasium's `VectorEnv`, over one socket. Needs gymnasium and numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .batch import Batch, Results, spread_seeds
from .client import Client
from .gymnasium_env import TerminalEnv, plain_action, spaces_for
from .results import Action, Info, StepResult, shown_info
from .spec import EnvironmentSpec

Observations = tuple[str, ...]
Stepped = tuple[Observations, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]


class TerminalVectorEnv(VectorEnv[Observations, Sequence[Action], np.ndarray]):
    """`num_envs` terminals that are stepped concurrently.

    Observations are a tuple of strings; rewards (float64), terminations and truncations arrays of length `num_envs`;
    `infos` a dict of arrays, each with a mask ``_key``. After an episode's end: ``NEXT_STEP`` resets in the next step,
    which ignores the action and has reward 0; ``SAME_STEP`` at once, with ``final_obs`` and ``final_info``;
    ``DISABLED`` not at all: call ``reset(options={"reset_mask": mask})``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        strict: bool = False,
        allow_unsafe: bool = False,
        client: Client | None = None,
        **spec: Unpack[EnvironmentSpec],
    ) -> None:
        """Like :class:`TerminalEnv`; all have the same `spec`."""
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**TerminalEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self._strict = strict
        self.single_observation_space, self.single_action_space = spaces_for(spec, allow_unsafe=allow_unsafe)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations = [""] * num_envs
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._under_way: Callable[[], Results] | None = None
        self.batch = Batch(num_envs, client=client, **spec)
        """The environments themselves."""

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin episodes.

        Args:
            seed: Of the first; the others have those after it. Or one for each.
            options: ``reset_mask``, an array of `num_envs` bools: only where it is true, which must be somewhere.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds = spread_seeds(seed, self.num_envs)
        mask = self._mask((options or {}).get("reset_mask"))
        chosen = {int(index): seeds[index] for index in np.flatnonzero(mask)}
        infos: dict[str, Any] = {}
        self._note_resets(self.batch.run(resets=self._seeded(chosen)), infos)
        return tuple(self._observations), infos

    def step(self, actions: Sequence[Action]) -> Stepped:
        """Take one action in each."""
        self.step_async(actions)
        return self.step_wait()

    def step_async(self, actions: Sequence[Action]) -> None:
        """Begin a step; :meth:`step_wait` returns its result. Errors: `RuntimeError` if one is in progress already."""
        if self._under_way is not None:
            raise RuntimeError("A step is under way; call step_wait() first.")
        if len(actions) != self.num_envs:
            raise ValueError(f"{len(actions)} actions for {self.num_envs} environments")
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            raise RuntimeError(f"Episodes have ended: reset those of {np.flatnonzero(self._ended).tolist()} first.")
        ended = {int(index) for index in np.flatnonzero(self._ended)}
        self._under_way = self.batch.start(
            steps={index: plain_action(one) for index, one in enumerate(actions) if index not in ended},
            resets=self._seeded(dict.fromkeys(ended)),
        )

    def step_wait(self) -> Stepped:
        """Wait for a step in progress. Errors: `RuntimeError` if there is none."""
        if self._under_way is None:
            raise RuntimeError("No step is under way; call step_async() first.")
        wait, self._under_way = self._under_way, None
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        terminated, truncated = np.zeros(self.num_envs, dtype=np.bool_), np.zeros(self.num_envs, dtype=np.bool_)
        results, infos = wait(), dict[str, Any]()
        self._note_resets({index: one for index, one in results.items() if not isinstance(one, StepResult)}, infos)
        for index, one in results.items():
            if isinstance(one, StepResult):
                rewards[index], terminated[index], truncated[index] = one.reward, one.terminated, one.truncated
                self._observations[index] = one.observation
        steps = {index: one for index, one in results.items() if isinstance(one, StepResult)}
        self._ended = terminated | truncated
        self._note_steps(steps, infos)
        return tuple(self._observations), rewards, terminated, truncated, infos

    def _note_steps(self, steps: dict[int, StepResult], infos: dict[str, Any]) -> None:
        at_once = self.autoreset_mode == AutoresetMode.SAME_STEP
        for index, one in steps.items():
            info = self._shown(one.info)
            if at_once and one.done:
                info = {"final_obs": one.observation, "final_info": info}
            self._add(infos, info, index)
        if at_once and self._ended.any():
            over: dict[int, int | None] = {int(index): None for index in np.flatnonzero(self._ended)}
            self._note_resets(self.batch.run(resets=self._seeded(over)), infos)

    def _note_resets(self, resets: Results, infos: dict[str, Any]) -> None:
        for index, one in resets.items():
            self._observations[index] = one.observation
            self._ended[index] = False
            self._add(infos, self._shown(one.info), index)

    def render(self) -> tuple[str, ...] | None:
        """All screens, with render mode ``ansi``."""
        return None if self.render_mode is None else tuple(one.render("ansi") for one in self.batch.environments)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of each environment, or read an attribute: ``call("exec", "cat score")``."""
        found = [getattr(one, name) for one in self.batch.environments]
        return tuple(one(*args, **kwargs) if callable(one) else one for one in found)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of each of the environments."""
        return tuple(getattr(one, name) for one in self.batch.environments)

    def close_extras(self, **kwargs: Any) -> None:
        """End them all. A step in progress ends with them."""
        if hasattr(self, "batch"):
            self.batch.close()

    def _seeded(self, seeds: dict[int, int | None]) -> dict[int, int | None]:
        """Once seeded, episodes without their own seed derive theirs from the first, so that a run can be repeated."""
        if self._np_random is None:
            return seeds
        return {i: int(self.np_random.integers(2**31)) if one is None else one for i, one in sorted(seeds.items())}

    def _mask(self, mask: Any) -> np.ndarray:
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask must be an array of {self.num_envs} bools")
        if not mask.any():
            raise ValueError("reset_mask must be true somewhere")
        return mask

    def _shown(self, info: Info) -> Info:
        return shown_info(info, strict=self._strict)

    def _add(self, infos: dict[str, Any], info: Info, index: int) -> None:
        infos.update(self._add_info(infos, info, index))
