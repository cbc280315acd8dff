"""The path of an instance's socket: the same rules as in the daemon, which must use the same path."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping

SOCKET_PATH_BYTES_MAX = 100
"""A longer path does not fit into the address of a Unix socket, with ``.lock`` after it."""


def daemon_socket(env: Mapping[str, str], user_id: int) -> str:
    """The path of the daemon's socket: the one that its lock names, else the one that a daemon would use."""
    state = _state_folder(env)
    return _locked_socket(state) or os.path.join(_run_folder(state, user_id), "daemon.sock")


def _state_folder(env: Mapping[str, str]) -> str:
    """``AGENTPTY_HOME`` separates one instance from another."""
    home = env.get("AGENTPTY_HOME")
    if home:
        return os.path.abspath(home)
    state = env.get("XDG_STATE_HOME") or os.path.join(env.get("HOME") or "/", ".local/state")
    return os.path.join(state, "agentpty")


def _locked_socket(state: str) -> str | None:
    """``None`` without a lock from this boot of this machine."""
    try:
        with open(os.path.join(state, "daemon.lock"), encoding="utf-8") as file:
            lock = json.load(file)
        with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
            boot = file.read().strip()
        return str(lock["socket"]) if lock["boot"] == boot and os.path.exists(lock["socket"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _run_folder(state: str, user_id: int) -> str:
    """A deep state folder gets a separate short folder, named after it."""
    folder = os.path.join(state, "run")
    if len(os.fsencode(os.path.join(folder, "ptyhost-1.sock"))) <= SOCKET_PATH_BYTES_MAX:
        return folder
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return f"/tmp/agentpty-{user_id}-{name}"
