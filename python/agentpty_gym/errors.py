"""The errors: calls that cannot be done, and failures of the machinery."""

from __future__ import annotations

from typing import Any


class AgentptyError(Exception):
    """A call that cannot be done.

    Attributes:
        code: One of the daemon's codes, such as ``invalid_input`` or ``environment_not_found``.
        message: What happened, with the value that caused it.
        hint: What to do next; may be empty.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        # All three, so that the error survives pickling between processes.
        super().__init__(code, message, hint)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.code}: {self.message} {self.hint}".rstrip()


class InfraError(AgentptyError):
    """The machinery has failed, not the player: such an episode earns nothing, not even 0. Mask it."""


CALLERS_OWN = frozenset(
    {
        "invalid_input",
        "unknown_key",
        "message_too_large",
        "limit_reached",
        "cancelled",
        "denied",
        "needs_approval",
        "not_approved",
        "partly_done",
    }
)
"""Codes that blame the call. They are raised unchanged: a player cannot cause them, a programmer should see them."""

LOST = frozenset({"environment_not_found", "daemon_gone", "no_daemon"})
"""Codes that report that the environment ended with its daemon; it can be created again."""


def error_of(value: Any) -> AgentptyError:
    """The error in an answer of the daemon."""
    if not isinstance(value, dict):
        return AgentptyError("internal", "The daemon gave an unreadable error.", "Try again.")
    return AgentptyError(
        str(value.get("code", "internal")), str(value.get("message", "")), str(value.get("hint") or "")
    )


def as_infra(error: AgentptyError) -> InfraError:
    """Return the same error as one of the machinery."""
    if isinstance(error, InfraError):
        return error
    return InfraError(error.code, error.message, error.hint)
