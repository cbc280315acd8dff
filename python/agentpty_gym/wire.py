"""One connection to the daemon: JSON lines over its Unix socket.

Any thread may call; calls run concurrently and are identified by their numbers. One thread reads. A call that is
answered, or whose connection ends, settles exactly once. A forked process does not share its parent's connection:
there it is closed, and the parent does not notice.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import AgentptyError, error_of

JsonObject = dict[str, Any]

MESSAGE_BYTES_MAX = 32 * 1024 * 1024
"""The daemon accepts no longer lines either."""

CALLS_MAX = 4_096
"""Open calls on one connection: as many as the daemon's environments accept in advance. Further calls wait for an answer."""

READ_BYTES = 256 * 1024


class PendingCall:
    """A call that has been sent."""

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self._number = number
        self._settled = threading.Event()
        self._result: JsonObject = {}
        self._error: AgentptyError | None = None

    def result(self, timeout: float | None = None) -> JsonObject:
        """Wait for the answer.

        Args:
            timeout: Seconds. A call that takes longer is cancelled.

        Raises:
            AgentptyError: What the daemon says; ``daemon_gone`` when it has ended; ``cancelled`` after the timeout.
        """
        try:
            is_settled = self._settled.wait(timeout)
        except BaseException:
            # The person pressed Ctrl-C: the daemon can stop work that no caller waits for.
            self.cancel()
            raise
        if not is_settled:
            self.cancel()
            raise AgentptyError("cancelled", f"The call was not answered within {timeout} s.", "Give it longer.")
        if self._error is not None:
            raise self._error
        return self._result

    def cancel(self) -> None:
        """Tell the daemon that no caller waits any more. The call still settles, usually with ``cancelled``."""
        if not self._settled.is_set():
            self._connection.cancel(self._number)

    def settle(self, result: JsonObject, error: AgentptyError | None = None) -> None:
        """For the connection only."""
        self._result, self._error = result, error
        self._settled.set()

    def forget(self) -> None:
        """For the connection only, in a forked process: no thread of the parent is there to settle it."""
        self._settled = threading.Event()
        self.settle({}, _daemon_gone())


class Connection:
    """A connection whose hellos have been exchanged; see :func:`agentpty_gym.daemon.connect`."""

    def __init__(self, stream: socket.socket, rest: bytes) -> None:
        """Args: ``rest`` is the data read after the daemon's hello."""
        self._stream = stream
        self._calls: dict[int, PendingCall] = {}
        self._last_number = 0
        self._is_closed = False
        # Guards the numbers and the table. Sending has its own lock, because it may wait for the daemon to read.
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._room = threading.Semaphore(CALLS_MAX)
        _connections.add(self)
        threading.Thread(target=self._read, args=(rest,), name="agentpty-gym", daemon=True).start()

    @property
    def is_closed(self) -> bool:
        """True once no call is possible any more."""
        return self._is_closed

    def start(self, method: str, params: Mapping[str, Any]) -> PendingCall:
        """Send a call, and return before it is answered.

        Raises:
            AgentptyError: ``daemon_gone`` when the connection has ended, ``message_too_large``.
        """
        self._room.acquire()
        with self._lock:
            self._last_number += 1
            number = self._last_number
            call = PendingCall(self, number)
            self._calls[number] = call
        try:
            self._send({"id": number, "method": method, "params": params})
        except BaseException:
            self._take(number)
            raise
        return call

    def cancel(self, number: int) -> None:
        """Tell the daemon that no caller waits for this call."""
        try:
            self._send({"cancel": number})
        except AgentptyError:
            # The connection has ended, and with it the call.
            pass

    def close(self) -> None:
        """End the connection; open calls fail with ``daemon_gone``."""
        self._is_closed = True
        try:
            # Wakes the reading thread, which closing alone does not.
            self._stream.shutdown(socket.SHUT_RDWR)
        except OSError:
            # The daemon was faster.
            pass

    def drop_in_child(self) -> None:
        """After a fork, in the new process: close the parent's socket without ending the connection."""
        self._is_closed = True
        self._stream.close()
        # The parent's threads may have held the locks at the fork, and are not here to release them.
        self._lock, self._sending = threading.Lock(), threading.Lock()
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.forget()

    def _send(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        if len(line) > MESSAGE_BYTES_MAX:
            raise AgentptyError("message_too_large", f"A message has {len(line)} bytes.", "Send it in pieces.")
        with self._sending:
            if self._is_closed:
                raise _daemon_gone()
            try:
                self._stream.sendall(line)
            except OSError as error:
                raise _daemon_gone() from error

    def _take(self, number: int) -> PendingCall | None:
        with self._lock:
            call = self._calls.pop(number, None)
        if call is not None:
            self._room.release()
        return call

    def _read(self, rest: bytes) -> None:
        try:
            for line in _lines(self._stream, rest):
                self._handle(json.loads(line))
        except (OSError, ValueError):
            # Broken, or not the daemon's: no further message can be understood.
            pass
        self._is_closed = True
        with self._sending:
            self._stream.close()
        with self._lock:
            numbers = list(self._calls)
        for number in numbers:
            call = self._take(number)
            if call is not None:
                call.settle({}, _daemon_gone())

    def _handle(self, message: JsonObject) -> None:
        number = message.get("id")
        # Any other message is progress of a call, which no caller here has requested.
        call = self._take(number) if isinstance(number, int) else None
        if call is None:
            return
        if "error" in message:
            call.settle({}, error_of(message["error"]))
        else:
            call.settle(message.get("result") or {})


def _lines(stream: socket.socket, rest: bytes) -> Iterator[bytes]:
    """Yields the lines of a stream, whatever its chunks. Raises ValueError for one without an end."""
    kept = bytearray(rest)
    seen = 0
    while True:
        end = kept.find(b"\n", seen)
        if end >= 0:
            yield bytes(kept[:end])
            del kept[: end + 1]
            seen = 0
            continue
        seen = len(kept)
        if seen > MESSAGE_BYTES_MAX:
            raise ValueError("a line without an end")
        chunk = stream.recv(READ_BYTES)
        if not chunk:
            return
        kept += chunk


def _daemon_gone() -> AgentptyError:
    return AgentptyError(
        "daemon_gone", "The agentpty daemon has ended, or the connection to it.", "Call again: a new one is started."
    )


_connections: weakref.WeakSet[Connection] = weakref.WeakSet()


def _drop_all_in_child() -> None:
    for connection in list(_connections):
        connection.drop_in_child()
    _connections.clear()


os.register_at_fork(after_in_child=_drop_all_in_child)
