"""Environments in GEM's form: one terminal, or many. Works without GEM, and subclasses its `Env` if installed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from .batch import Batch, spread_seeds
from .client import Client
from .env import Environment
from .errors import AgentptyError
from .harmless import HARMLESS, REFUSAL
from .results import Info, ResetResult, StepResult, after_instruction
from .spec import EnvironmentSpec

if TYPE_CHECKING:
    Env = object
else:
    try:
        from gem.core import Env
    except ImportError:
        Env = object

Step = tuple[str, float, bool, bool, Info]


class GemTerminalEnv(Env):
    """Actions are strings, typed with Enter; observations are the new output.

    When the machinery fails, a step is truncated and has ``info["infra_error"]``: mask the episode.
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        allow_unsafe: bool = False,
        client: Client | None = None,
        **spec: Unpack[EnvironmentSpec],
    ) -> None:
        """
        Args:
            seed: Of the first episode, where its reset names none: GEM's ``make_vec`` gives one to each environment.
            allow_unsafe: Random actions also with isolation ``none``.
            client: Of which daemon.
            **spec: What the environment is made of.
        """
        super().__init__()
        self._first_seed = seed
        self._allow_unsafe = allow_unsafe
        self._random = random.Random(seed)
        self.terminal = Environment(client=client, on_infra="info", **spec)
        """The environment itself."""

    def reset(self, seed: int | None = None) -> tuple[str, Info]:
        """Begin an episode: observation, info. With a task, the observation begins with its instruction."""
        if seed is not None:
            self._random.seed(seed)
        else:
            seed = self._first_seed
        self._first_seed = None
        result = self.terminal.reset(seed)
        return after_instruction(self.terminal.task, result.observation), result.info

    def step(self, action: str) -> Step:
        """Observation, reward, terminated, truncated, info."""
        return _tuple(self.terminal.step(action))

    def sample_random_action(self) -> str:
        """One of a few harmless texts. Errors: `AgentptyError` with isolation ``none``, unless `allow_unsafe`."""
        if self.terminal.spec.get("isolation") == "none" and not self._allow_unsafe:
            raise AgentptyError("denied", REFUSAL)
        return self._random.choice(HARMLESS)

    def spawn(self, same_state: bool = False, **spec: Unpack[EnvironmentSpec]) -> GemTerminalEnv:
        """Return another environment.

        Args:
            same_state: It has come as far: the same seed and actions. Else it is to be reset first.
            **spec: What is different about it; not together with `same_state`.
        """
        if not same_state:
            merged: Any = {**self.terminal.spec, **spec}
            return type(self)(allow_unsafe=self._allow_unsafe, client=self.terminal.client, **merged)
        if spec:
            raise AgentptyError("invalid_input", f"With the same state nothing can be different: {', '.join(spec)}.")
        other = type(self).__new__(type(self))
        other._first_seed = None
        other._allow_unsafe = self._allow_unsafe
        other._random = random.Random()
        other._random.setstate(self._random.getstate())
        other.terminal, _ = self.terminal.fork()
        return other

    def close(self) -> None:
        """End it. Repeating it is no error."""
        self.terminal.close()


class GemTerminalVectorEnv:
    """Many of them over one connection: lists of observations, rewards, flags and infos.

    An episode that has ended is begun anew in the same step; what it has shown last is ``info["final_obs"]``, and its
    own info ``info["final_info"]``.
    """

    def __init__(self, num_envs: int, *, client: Client | None = None, **spec: Unpack[EnvironmentSpec]) -> None:
        """Like :class:`GemTerminalEnv`; all have the same `spec`."""
        self.num_envs = num_envs
        self.batch = Batch(num_envs, client=client, **spec)
        """The environments themselves."""

    def reset(self, seed: int | Sequence[int | None] | None = None) -> tuple[list[str], list[Info]]:
        """Begin all episodes; `seed` is for the first one, and the others have the following ones."""
        seeds = spread_seeds(seed, self.num_envs)
        results = self.batch.run(resets=dict(enumerate(seeds)))
        return [self._first(one) for one in results.values()], [one.info for one in results.values()]

    def step(
        self, actions: Sequence[str] | Mapping[int, str]
    ) -> tuple[list[str], list[float], list[bool], list[bool], list[Info]]:
        """Act in each, or in some by their index: then the results are of those, in the order of the indexes."""
        chosen = dict(actions) if isinstance(actions, Mapping) else dict(enumerate(actions))
        if not isinstance(actions, Mapping) and len(chosen) != self.num_envs:
            raise ValueError(f"{len(chosen)} actions for {self.num_envs} environments")
        results = self.batch.run(steps=chosen)
        steps = {index: _tuple(one) for index, one in results.items() if isinstance(one, StepResult)}
        over: dict[int, int | None] = {index: None for index, step in steps.items() if step[2] or step[3]}
        for index, begun in self.batch.run(resets=over).items():
            last, reward, terminated, truncated, info = steps[index]
            step_info = {**begun.info, "final_obs": last, "final_info": info}
            steps[index] = self._first(begun), reward, terminated, truncated, step_info
        ordered = list(steps.values())
        return (
            [step[0] for step in ordered],
            [step[1] for step in ordered],
            [step[2] for step in ordered],
            [step[3] for step in ordered],
            [step[4] for step in ordered],
        )

    def _first(self, begun: ResetResult | StepResult) -> str:
        return after_instruction(self.batch.environments[0].task, begun.observation)

    def close(self) -> None:
        """End them all. Repeating it is no error."""
        self.batch.close()


def make_vec(num_envs: int, **spec: Any) -> GemTerminalVectorEnv:
    """Like GEM's own `make_vec`, for terminals of one `spec`."""
    return GemTerminalVectorEnv(num_envs, **spec)


def register(env_id: str = "agentpty:Terminal-v0") -> None:
    """Register it for ``gem.make``. Errors: `ImportError` without GEM."""
    from gem.envs.registration import register as register_in_gem

    register_in_gem(env_id, "agentpty_gym.gem_env:GemTerminalEnv")


def _tuple(step: StepResult) -> Step:
    return step.observation, step.reward, step.terminated, step.truncated, step.info
