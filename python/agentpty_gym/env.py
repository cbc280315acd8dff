"""An environment: a program on a terminal in a container, reset and stepped through. Needs only Python."""

from __future__ import annotations

import base64
import os
import time
import weakref
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Literal, Unpack

from . import transfer
from .client import Client, shared_client
from .errors import CALLERS_OWN, LOST, AgentptyError, InfraError, as_infra
from .pending import Pending
from .results import (
    Action,
    ExecResult,
    ForkResult,
    ResetResult,
    StepResult,
    TaskAbout,
    Verification,
    info_of,
    task_of,
    verification_of,
)
from .spec import EnvironmentSpec, Program, spec_input
from .wire import JsonObject, PendingCall
REMAKE_PAUSES = (0.0, 0.1, 1.0)
"""Seconds before each attempt to create an environment again: a daemon that is ending may still accept connections."""


class Environment:
    """A program on a terminal that can be reset to the same state repeatedly.

    Example:
        >>> with Environment(program=["python3", "-q"]) as env:
        ...     env.reset().observation
        ...     env.step("6 * 7").observation
        '>>>'
        '42\\n>>>'
    """

    def __init__(
        self,
        *,
        client: Client | None = None,
        on_infra: Literal["raise", "info"] = "raise",
        **spec: Unpack[EnvironmentSpec],
    ) -> None:
        """Create it; nothing runs before its first reset.

        Args:
            client: Of which daemon; without it the one of this process's environment variables.
            on_infra: When the machinery fails, raise :class:`InfraError`, or tell it in ``info["infra_error"]`` of a
                result that is truncated. Rewards of such a result mean nothing.
            **spec: What it is made of.

        Raises:
            AgentptyError: ``invalid_input``, ``limit_reached``, ``sandbox_unavailable``; ``no_daemon``.
        """
        self._adopt(client or shared_client(), on_infra, spec)
        self._make()

    def _adopt(self, client: Client, on_infra: Literal["raise", "info"], spec: EnvironmentSpec) -> None:
        self._client = client
        self._on_infra = on_infra
        self._spec = spec
        self._terminal_id: str | None = None
        self._infra: dict[str, str] | None = None
        self._process = os.getpid()
        self._finalizer: weakref.finalize[Any, Any] | None = None

    def _make(self) -> None:
        self._keep(self._client.call("makeEnvironment", spec_input(self._spec)))

    def _keep(self, made: JsonObject) -> None:
        """Take ownership of the `environmentId` of `made`."""
        if self._finalizer is not None:
            self._finalizer.detach()
        self.id: str = made["environmentId"]
        self._task = task_of(made)
        self.is_closed = False
        self._client.keep(self.id)
        self._finalizer = weakref.finalize(self, self._client.abandoned.put, self.id)
        # The client closes open environments when the process ends.
        self._finalizer.atexit = False

    @property
    def client(self) -> Client:
        """The client that created it."""
        return self._client

    @property
    def spec(self) -> EnvironmentSpec:
        """Its specification."""
        return self._spec

    @property
    def task(self) -> TaskAbout | None:
        """The task that it is made from; None without one."""
        return self._task

    @property
    def terminal_id(self) -> str | None:
        """Its terminal, for other verbs; None before the first reset."""
        return self._terminal_id

    def reset(self, seed: int | None = None) -> ResetResult:
        """Begin an episode: files are restored, programs are new, and nothing of the last episode is left.

        An environment that went with its daemon is made anew.

        Args:
            seed: From 0 on. Programs find it in their environment, Python as ``PYTHONHASHSEED``.

        Raises:
            InfraError: The machinery has failed; with ``on_infra="info"`` the result contains it.
        """
        return self.start_reset(seed).result()

    def step(self, action: Action) -> StepResult:
        """Perform one action, and return its result as soon as it is your turn again.

        Args:
            action: A string is typed, and Enter pressed. A mapping goes as it is.

        Raises:
            AgentptyError: ``invalid_input`` for an action that is none, before the first reset, after the end.
            InfraError: The machinery has failed; with ``on_infra="info"`` the result contains it.
        """
        return self.start_step(action).result()

    def start_reset(self, seed: int | None = None) -> Pending[ResetResult]:
        """Like :meth:`reset`, but return before it is done."""
        return Pending(
            lambda: self._start("resetEnvironment", self._seeded(seed)),
            self._read_reset,
            lambda error: self._reset_anew(error, seed),
        )

    def start_step(self, action: Action) -> Pending[StepResult]:
        """Like :meth:`step`, but return before it is done. Several are taken in order."""
        return Pending(lambda: self._start_step(action), self._read_step, self._failed_step)

    def verify(self) -> Verification:
        """End the episode, with every program inside, and let the verifier of the task judge it.

        The last step of an episode has been judged already, and has the reward: the same one is returned again.

        Raises:
            AgentptyError: ``invalid_input`` without a task or an episode.
            InfraError: The machinery has failed.
        """
        try:
            return verification_of(self._start("verifyEnvironment", {}).result())
        except AgentptyError as error:
            if error.code in CALLERS_OWN:
                raise
            raise as_infra(error) from error

    def render(self, format: Literal["plain", "ansi", "html", "svg"] = "plain") -> str:
        """The current whole screen; empty before the first reset. Errors: `InfraError`."""
        if self._terminal_id is None:
            return ""
        try:
            shown = self._client.call("screenshot", {"terminalId": self._terminal_id, "format": format})
        except AgentptyError as error:
            raise as_infra(error) from error
        return str(shown["image"]["data"]) if "image" in shown else str(shown["screen"])

    def exec(
        self,
        command: Program,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        input: bytes | None = None,
        timeout: float = 60.0,
    ) -> ExecResult:
        """Run a command in the container, on pipes instead of the terminal: to prepare, and to judge.

        Args:
            command: A string is run by bash with ``-c``, a list directly.
            cwd: Inside; without it the working folder.
            env: Besides the variables of the environment.
            input: Its standard input, at most 16 MiB.
            timeout: Seconds; then it is ended, and has no exit code.

        Raises:
            AgentptyError: ``invalid_input`` without a container: before the first reset, or with isolation ``none``.
        """
        sent: dict[str, Any] = {"command": command, "timeoutMs": max(1, round(timeout * 1_000))}
        sent |= {name: value for name, value in (("cwd", cwd), ("env", env)) if value is not None}
        if input is not None:
            sent["input"] = base64.b64encode(input).decode()
        said = self._start("execInEnvironment", sent).result()
        stdout, stderr = (base64.b64decode(said[name]) for name in ("stdout", "stderr"))
        return ExecResult(stdout, stderr, said["exitCode"], said.get("droppedBytes", 0))

    def upload(self, source: str | os.PathLike[str], target: str) -> None:
        """Copy a file, or the contents of a folder, from this machine to `target` inside. Parent folders are created."""
        transfer.upload(self, source, target)

    def download(self, source: str, target: str | os.PathLike[str]) -> None:
        """Copy a file, or the contents of a folder, from inside to `target` on this machine. Nothing is written elsewhere."""
        transfer.download(self, source, target)

    def fork(self, how: Literal["replay", "files"] = "replay") -> tuple[Environment, ForkResult]:
        """Return another environment with the same state as this one.

        Args:
            how: ``replay``: the same seed and the same actions. ``files``: the files as they are now, and programs
                begin anew.

        Raises:
            AgentptyError: ``invalid_input`` before the first reset; those of making one.
        """
        made = self._start("forkEnvironment", {"how": how}).result()
        other = Environment.__new__(Environment)
        other._adopt(self._client, self._on_infra, self._spec)
        other._keep(made)
        other._read_reset(made)
        return other, ForkResult(made["replayed"], made["differsAt"])

    def close(self) -> None:
        """End it: its programs, files and terminals. Repeating it is no error. In a forked process it belongs to the parent."""
        if self.is_closed or self._process != os.getpid():
            return
        self.is_closed = True
        if self._finalizer is not None:
            self._finalizer.detach()
        if not self._client.forget(self.id):
            return
        try:
            self._client.call("closeEnvironment", {"environmentId": self.id})
        except AgentptyError as error:
            if error.code not in LOST:
                raise

    def __enter__(self) -> Environment:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self, verb: str, sent: Mapping[str, Any]) -> PendingCall:
        if self.is_closed:
            raise AgentptyError("invalid_input", f"{self.id} is closed.", "Make another one.")
        if self._process != os.getpid():
            raise AgentptyError("invalid_input", f"{self.id} is another process's.", "Make one in this process.")
        return self._client.start(verb, {"environmentId": self.id, **sent})

    def _start_step(self, action: Action) -> PendingCall:
        if self._infra is not None:
            raise InfraError(**self._infra)
        return self._start("stepEnvironment", {"action": action})

    def _seeded(self, seed: int | None) -> dict[str, int]:
        self._infra = None
        return {} if seed is None else {"seed": int(seed)}

    def _reset_anew(self, error: AgentptyError, seed: int | None) -> ResetResult:
        for pause in REMAKE_PAUSES:
            if error.code not in LOST or self.is_closed or self._process != os.getpid():
                break
            time.sleep(pause)
            self._client.forget(self.id)
            try:
                self._make()
                answer = self._start("resetEnvironment", self._seeded(seed)).result()
            except AgentptyError as failure:
                error = failure
            else:
                return self._read_reset(answer)
        return ResetResult("", {"infra_error": self._told(error)})

    def _read_reset(self, answer: JsonObject) -> ResetResult:
        info = info_of(answer["info"])
        self._check(info)
        self._terminal_id = info.get("terminal_id") or None
        return ResetResult(answer["observation"], info)

    def _read_step(self, answer: JsonObject) -> StepResult:
        info = info_of(answer["info"])
        self._check(info)
        return StepResult(
            answer["observation"], float(answer["reward"]), answer["terminated"], answer["truncated"], info
        )

    def _failed_step(self, error: AgentptyError) -> StepResult:
        return StepResult("", 0.0, False, True, {"infra_error": self._told(error)})

    def _check(self, info: Mapping[str, Any]) -> None:
        failed = info.get("infra_error")
        if failed is not None:
            self._told(InfraError(failed["code"], failed["message"]))

    def _told(self, error: AgentptyError) -> dict[str, str]:
        """Return the `info` until the next reset. Errors: `error`, if it is to be raised."""
        if error.code in CALLERS_OWN and not isinstance(error, InfraError):
            raise error
        if self._on_infra == "raise":
            raise as_infra(error) from error
        self._infra = {"code": error.code, "message": f"{error.message} {error.hint}".rstrip()}
        return self._infra
