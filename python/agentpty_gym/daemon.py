"""Connects to the daemon, and starts one if there is none."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from .errors import AgentptyError, error_of
from .paths import daemon_socket
from .wire import READ_BYTES, Connection

HELLO_SECONDS_MAX = 10.0
"""The time that the daemon's own clients wait for its first line."""

START_SECONDS_MAX = 70.0
"""A daemon that takes terminals over has a minute for it; then it gives up."""


def reach(env: Mapping[str, str], client: str) -> Connection:
    """Return a connection to the daemon that `env` identifies.

    Args:
        env: Where the daemon is (``AGENTPTY_HOME``, the XDG variables, ``HOME``), how it is started
            (``AGENTPTY_PROGRAM``, ``PATH``), and what programs find that run without a container.
        client: The caller's name; the same after a reconnection.

    Raises:
        AgentptyError: ``no_daemon`` when none runs and the program is not found, ``daemon_gone`` when none starts.
    """
    path = daemon_socket(env, os.getuid())
    hello = _hello(env, client)
    try:
        return connect(path, hello)
    except OSError:
        # The daemon does not listen.
        pass
    _start(env)
    path = daemon_socket(env, os.getuid())
    try:
        return connect(path, hello)
    except OSError as error:
        raise AgentptyError("daemon_gone", f"Nobody listens at {path}: {error}.", "Run: agentpty doctor") from error


def connect(path: str, hello: Mapping[str, Any]) -> Connection:
    """Connect to a daemon that listens at `path`.

    Raises:
        OSError: Nobody listens there, or who listens says nothing for ten seconds.
        AgentptyError: The daemon takes no more clients, or it is none.
    """
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        stream.settimeout(HELLO_SECONDS_MAX)
        stream.connect(path)
        stream.sendall(json.dumps({"agentpty": 1, **hello}).encode() + b"\n")
        line, rest = _first_line(stream)
        answer = json.loads(line) if line.startswith(b"{") else {}
        if "error" in answer:
            raise error_of(answer["error"])
        if answer.get("agentpty") != 1:
            raise AgentptyError("version_mismatch", f"What listens at {path} is no agentpty daemon that fits.")
        stream.settimeout(None)
        return Connection(stream, rest)
    except BaseException:
        stream.close()
        raise


def _first_line(stream: socket.socket) -> tuple[bytes, bytes]:
    kept = b""
    while b"\n" not in kept and len(kept) < READ_BYTES:
        chunk = stream.recv(READ_BYTES)
        if not chunk:
            raise ConnectionResetError("the daemon has ended")
        kept += chunk
    line, _, rest = kept.partition(b"\n")
    return line, rest


def _hello(env: Mapping[str, str], client: str) -> dict[str, Any]:
    hello: dict[str, Any] = {
        "face": "rpc",
        "client": client,
        "cwd": os.getcwd(),
        "program": os.path.basename(sys.argv[0]) or "python",
        "env": {name: value for name, value in env.items() if _is_text(name + value)},
    }
    if env.get("AGENTPTY_TOKEN"):
        hello["token"] = env["AGENTPTY_TOKEN"]
    return hello


def _is_text(value: str) -> bool:
    """Bytes that are not UTF-8 cannot be expressed in JSON."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _start(env: Mapping[str, str]) -> None:
    """`status --start` starts a daemon if there is none, and returns when it listens."""
    command = [*_program(env), "status", "--start"]
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=START_SECONDS_MAX)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AgentptyError("daemon_gone", f"The agentpty daemon does not start: {error}.", "Run: agentpty doctor") from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()
        raise AgentptyError("daemon_gone", f"The agentpty daemon does not start: {said}", "Run: agentpty doctor")


def _program(env: Mapping[str, str]) -> list[str]:
    named = env.get("AGENTPTY_PROGRAM")
    if named:
        # A checkout's entry is a script that Node runs; an installed one is a program.
        return ["node", named] if named.endswith((".js", ".mjs")) else [named]
    found = shutil.which("agentpty", path=env.get("PATH"))
    if found is None:
        raise AgentptyError(
            "no_daemon",
            "No agentpty daemon is running, and there is no agentpty on PATH to start one.",
            "Install it, or set AGENTPTY_PROGRAM to it; with npx: npx agentpty status --start",
        )
    return [found]
