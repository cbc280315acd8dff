"""A terminal for TRL's ``GRPOTrainer(environment_factory=…)``: its public methods are the tools of the model."""

from __future__ import annotations

from typing import Any, ClassVar, Unpack

from .client import Client
from .env import Environment
from .errors import AgentptyError
from .results import Action, after_instruction
from .spec import EnvironmentSpec


class TrlTerminalEnv:
    """A terminal that a model types into.

    TRL makes it without arguments: name what it is made of in a subclass's `spec`, or with :func:`terminal_factory`.
    One instance plays one episode after the other.

    Every public method is offered to the model, so that what trainers need besides begins with an underscore.
    """

    spec: ClassVar[EnvironmentSpec] = {}
    """The specification of its environment."""

    client: ClassVar[Client | None] = None
    """The daemon's client; None: the one from this process's environment variables."""

    def __init__(self) -> None:
        self._environment: Environment | None = None
        self._earned = 0.0
        self._is_over = True
        self._has_failed = False

    def reset(self, **columns: Any) -> str | None:
        """Begin an episode; TRL appends what it returns to the prompt: of a task first what is to be done.

        Args:
            **columns: Of the row of the data set. ``seed`` is the episode's; the rest is for subclasses.
        """
        # TRL probes an instance that is never played: nothing is created before it is needed.
        if self._environment is None:
            self._environment = Environment(client=self.client, on_infra="info", **self.spec)
        seed = columns.get("seed")
        result = self._environment.reset(seed if isinstance(seed, int) else None)
        self._earned, self._is_over = 0.0, False
        self._has_failed = result.infra_error is not None
        return after_instruction(self._environment.task, result.observation) or None

    def send(self, text: str) -> str:
        """Type a line into the terminal, press Enter, and see what appears.

        Args:
            text: What to type, without the Enter at its end.
        """
        return self._step(text)

    def keys(self, keys: list[str]) -> str:
        """Press keys in the terminal, one after the other, and see what appears.

        Args:
            keys: Names of keys such as "Enter", "Up", "Escape", "C-c", or single characters.
        """
        return self._step({"type": "keys", "keys": list(keys)})

    def wait(self, seconds: float) -> str:
        """Wait for a program that is still running, and see what has appeared.

        Args:
            seconds: How long at most; it returns at once when the program is done.
        """
        return self._step({"type": "wait", "ms": max(0, round(float(seconds) * 1_000))})

    def screen(self) -> str:
        """See the whole screen as it is now."""
        return self._playing().render()

    @property
    def reward(self) -> float | None:
        """What the episode has earned; asking ends it, so that it is judged.

        None before the first episode, and for one in which the machinery has failed: it is not a result.
        """
        if self._environment is None:
            return None
        if not self._is_over and not self._has_failed:
            self._take(self._environment, {"type": "finish"})
        return None if self._has_failed else self._earned

    def get_reward(self) -> float | None:
        """The same, in TRL's form for environments that own their reward."""
        return self.reward

    def _step(self, action: Action) -> str:
        return self._take(self._playing(), action)

    def _take(self, environment: Environment, action: Action) -> str:
        step = environment.step(action)
        self._earned += step.reward
        self._is_over = step.done
        self._has_failed = step.infra_error is not None
        if step.infra_error is not None:
            raise AgentptyError(step.infra_error["code"], f"The terminal has failed: {step.infra_error['message']}")
        notes = []
        if step.info.get("state") == "busy":
            notes.append("[it is still running; wait, or press C-c]")
        if step.done:
            notes.append("[the episode is over]")
        return "\n".join([part for part in (step.observation, *notes) if part])

    def _playing(self) -> Environment:
        if self._environment is None or self._is_over:
            raise AgentptyError("invalid_input", "The episode is over.", "Say your answer.")
        return self._environment

    def _close(self) -> None:
        """End it. Without this it ends with its instance, or with the process."""
        if self._environment is not None:
            self._environment.close()
            self._environment = None


def terminal_factory(*, client: Client | None = None, **spec: Unpack[EnvironmentSpec]) -> type[TrlTerminalEnv]:
    """Return a class for ``environment_factory`` with this `spec`.

    Example:
        >>> factory = terminal_factory(program=["python3", "-q"], success="swordfish")
        >>> env = factory()
    """
    return type("TrlTerminalEnv", (TrlTerminalEnv,), {"spec": spec, "client": client, "__doc__": TrlTerminalEnv.__doc__})
