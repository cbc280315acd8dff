"""Sample inputs for random actions: harmless to a shell, a REPL or a pager."""

from __future__ import annotations

HARMLESS = ("", "1", "1 + 1", "pwd", "true", "echo hello", "echo 'ä → 字 🙂'", "ls", "help", ":")
"""Random text in a real shell may be a redirection, a background job or worse; these are not."""

REFUSAL = (
    'With isolation "none" what is typed runs on this machine, as you. Random actions are refused there; '
    "use a container, or say allow_unsafe=True."
)
