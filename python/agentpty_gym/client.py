"""The verbs of a daemon, for Python. The client connects on first use, and again after the daemon was replaced."""

from __future__ import annotations

import atexit
import os
import queue
import secrets
import threading
import weakref
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from .daemon import reach
from .errors import AgentptyError
from .wire import Connection, JsonObject, PendingCall

CLOSE_SECONDS_MAX = 30.0
"""Environments that are not closed by then end with their daemon."""

FINDING = (
    *("AGENTPTY_HOME", "AGENTPTY_PROGRAM", "HOME", "PATH", "LANG"),
    *("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"),
)
"""The variables with which a daemon is found and started."""


class Client:
    """One caller of the daemon, for all threads of a process. A context manager: at its end its environments are closed.

    A forked process has a connection of its own, and leaves its parent's environments alone.

    Example:
        >>> with Client() as client:
        ...     client.call("environments")
        {'environments': []}
    """

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        """Args: ``env`` replaces this process's variables, with which the daemon is found and started at each connect."""
        self._env = None if env is None else dict(env)
        self._name = f"gym-{os.getpid()}-{secrets.token_hex(4)}"
        self._connection: Connection | None = None
        self._begin()
        _clients.add(self)

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._open: set[str] = set()
        # Filled by the garbage collector, which may run at any moment: SimpleQueue supports calls from there.
        self.abandoned: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.process = os.getpid()

    def call(self, verb: str, input: Mapping[str, Any] | None = None, *, timeout: float | None = None) -> JsonObject:
        """Call a verb, and wait for its result.

        Args:
            verb: As the daemon names it, such as ``makeEnvironment``.
            input: Its input, as the daemon takes it.
            timeout: Seconds; None waits as long as the verb does.

        Raises:
            AgentptyError: What the daemon says; ``no_daemon`` or ``daemon_gone`` when none can be reached.
        """
        return self.start(verb, input).result(timeout)

    def start(self, verb: str, input: Mapping[str, Any] | None = None) -> PendingCall:
        """Call a verb without waiting for its answer. Many calls can be in progress. Errors: as :meth:`call`."""
        return self._connected().start(verb, input or {})

    def close(self) -> None:
        """Close its environments, and disconnect. The daemon keeps running. The client may be used again afterwards."""
        with self._lock:
            connection, self._connection = self._connection, None
            ids, self._open = self._open, set()
        if connection is None:
            return
        try:
            calls = [connection.start("closeEnvironment", {"environmentId": one}) for one in ids]
            for call in calls:
                call.result(CLOSE_SECONDS_MAX)
        except AgentptyError:
            # They have ended already, or end with the daemon.
            pass
        finally:
            connection.close()

    def keep(self, environment_id: str) -> None:
        """Register an environment, to be closed with this client at the latest. Closes unreferenced ones."""
        with self._lock:
            self._open.add(environment_id)
        while True:
            try:
                abandoned = self.abandoned.get_nowait()
            except queue.Empty:
                return
            if self.forget(abandoned):
                self.start("closeEnvironment", {"environmentId": abandoned})

    def forget(self, environment_id: str) -> bool:
        """Return whether it was registered, so that the caller has to close it."""
        with self._lock:
            was_open = environment_id in self._open
            self._open.discard(environment_id)
        return was_open

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> Client:
        # Gymnasium copies the arguments of its environments; a connection is shared.
        return self

    def __reduce__(self) -> tuple[type[Client], tuple[dict[str, str] | None]]:
        # In another process it is another caller of the same daemon. Other variables may be secret, and stay here.
        finding = None if self._env is None else {name: self._env[name] for name in FINDING if name in self._env}
        return Client, (finding,)

    def _connected(self) -> Connection:
        with self._lock:
            if self._connection is None or self._connection.is_closed:
                self._connection = reach(os.environ if self._env is None else self._env, self._name)
            return self._connection

    def begin_in_child(self) -> None:
        """Runs in the new process after a fork. The connection has closed itself; open environments belong to the parent."""
        self._name = f"gym-{os.getpid()}-{secrets.token_hex(4)}"
        self._connection = None
        self._begin()


_clients: weakref.WeakSet[Client] = weakref.WeakSet()
_shared: Client | None = None
_sharing = threading.Lock()


def shared_client() -> Client:
    """The client of all environments without an explicit one. It is closed when the process ends."""
    global _shared
    with _sharing:
        if _shared is None:
            _shared = Client()
            atexit.register(_shared.close)
        return _shared


def _begin_all_in_child() -> None:
    global _sharing
    _sharing = threading.Lock()
    for client in list(_clients):
        client.begin_in_child()


os.register_at_fork(after_in_child=_begin_all_in_child)
