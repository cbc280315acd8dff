"""Where an instance of agentpty has its socket: the rules of the daemon itself, which must find the same path."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping

SOCKET_PATH_BYTES_MAX = 100
"""A longer path does not fit into the address of a Unix socket, with room for ``.lock`` behind it."""


def daemon_socket(env: Mapping[str, str], user_id: int) -> str:
    """The path of the daemon's socket. ``AGENTPTY_HOME`` keeps one instance apart from another."""
    return os.path.join(_run_folder(env, user_id), "daemon.sock")


def _run_folder(env: Mapping[str, str], user_id: int) -> str:
    home = env.get("AGENTPTY_HOME")
    if home:
        return _short_enough(os.path.join(os.path.abspath(home), "run"), env, user_id)
    runtime = env.get("XDG_RUNTIME_DIR")
    if runtime:
        return _short_enough(os.path.join(runtime, "agentpty"), env, user_id)
    state = env.get("XDG_STATE_HOME") or os.path.join(env.get("HOME") or "/", ".local/state")
    return _short_enough(os.path.join(state, "agentpty", "run"), env, user_id)


def _short_enough(folder: str, env: Mapping[str, str], user_id: int) -> str:
    """A deep home gets a short folder of its own, named after it."""
    if len(os.fsencode(os.path.join(folder, "ptyhost-1.sock"))) <= SOCKET_PATH_BYTES_MAX:
        return folder
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    temporary = _temporary_folder(env)
    return os.path.join("/tmp" if len(temporary) > 40 else temporary, f"agentpty-{user_id}-{name}")


def _temporary_folder(env: Mapping[str, str]) -> str:
    """As Node has it, which the daemon runs on: Python's own function checks the folder and remembers it."""
    path = env.get("TMPDIR") or env.get("TMP") or env.get("TEMP") or "/tmp"
    return path[:-1] if len(path) > 1 and path.endswith("/") else path
