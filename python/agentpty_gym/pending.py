"""A result in progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from .errors import AgentptyError
from .wire import JsonObject, PendingCall

Result = TypeVar("Result")


class Pending(Generic[Result]):
    """A result in progress."""

    def __init__(
        self,
        start: Callable[[], PendingCall],
        read: Callable[[JsonObject], Result],
        failed: Callable[[AgentptyError], Result],
    ) -> None:
        self._read, self._failed = read, failed
        self._started: PendingCall | AgentptyError
        try:
            self._started = start()
        except AgentptyError as error:
            # Raised for the caller that reads the result, like every other failure of the call.
            self._started = error

    def result(self, timeout: float | None = None) -> Result:
        """Wait for it; `timeout` in seconds. Call it once. Errors: those of the method that has started it."""
        try:
            if isinstance(self._started, AgentptyError):
                raise self._started
            answer = self._started.result(timeout)
        except AgentptyError as error:
            return self._failed(error)
        return self._read(answer)
