"""The methods of Harbor's `TmuxSession`, over a terminal of agentpty's: no tmux inside, and no sleeping.

Where tmux waits a number of seconds and hopes, this returns when it is one's turn: the seconds are an upper bound.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from .env import Environment
from .errors import AgentptyError
from .results import StepResult

SCROLLBACK_ROWS = 1_000
"""The number that the daemon retains."""

_SAID_NEW = "New Terminal Output:\n"
_SAID_SCREEN = "Current Terminal Screen:\n"


class TmuxSessionShim:
    """A session in the main terminal of `environment`, which has been reset."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._seen: str | None = None
        self._has_ended = False
        self.last: StepResult | None = None
        """The effect of the last keys, with the verdict that tmux lacks."""

    async def start(self) -> None:
        """Begin an episode, if there is none."""
        if self._environment.terminal_id is None:
            await asyncio.to_thread(self._environment.reset)

    async def stop(self) -> None:
        """End the environment."""
        self._has_ended = True
        await asyncio.to_thread(self._environment.close)

    async def is_session_alive(self) -> bool:
        """True while its program runs."""
        return not self._has_ended and self._environment.terminal_id is not None

    async def send_keys(
        self,
        keys: str | Sequence[str],
        block: bool = False,
        min_timeout_sec: float = 0.0,
        max_timeout_sec: float = 180.0,
    ) -> None:
        """Type.

        Args:
            keys: A tmux key alone (``C-c``, ``Enter``), or text to be typed; ``\\n`` is Enter. Or several of them.
            block: Wait until it is one's turn.
            min_timeout_sec: Without `block`: seconds to wait for one's turn, at most.
            max_timeout_sec: With `block`: the same. Errors: `TimeoutError` when it is not one's turn by then.
        """
        parts = [keys] if isinstance(keys, str) else list(keys)
        for index, part in enumerate(parts):
            is_last = index == len(parts) - 1
            seconds = max_timeout_sec if block else min_timeout_sec
            await self._type(part, seconds if is_last else 0.0)
        if block and self.last is not None and self.last.info.get("state") == "busy":
            raise TimeoutError(f"Command timed out after {max_timeout_sec} seconds")

    async def capture_pane(self, capture_entire: bool = False) -> str:
        """The screen as text, without colours; `capture_entire`: with the scrollback."""
        terminal_id = self._environment.terminal_id
        if terminal_id is None:
            return ""
        lines = SCROLLBACK_ROWS if capture_entire else 0
        asked = {"terminalId": terminal_id, "format": "plain", "lines": lines}
        shown = await asyncio.to_thread(self._environment.client.call, "screenshot", asked)
        return str(shown["screen"])

    async def get_incremental_output(self) -> str:
        """The output since the last call; the whole screen the first time, and when it cannot be determined."""
        entire = await self.capture_pane(capture_entire=True)
        seen, self._seen = self._seen, entire
        if seen is not None and seen.strip() and seen in entire:
            new = entire[entire.index(seen) + len(seen) :]
            if new.strip():
                return _SAID_NEW + new.lstrip("\n")
        return _SAID_SCREEN + await self.capture_pane()

    async def _type(self, keystrokes: str, seconds: float) -> None:
        if self._has_ended:
            raise AgentptyError("session_exited", "The session has ended.", "Start another one.")
        action = {"keystrokes": keystrokes, "duration": seconds}
        self.last = await asyncio.to_thread(self._environment.step, action)
        self._has_ended = self.last.done
