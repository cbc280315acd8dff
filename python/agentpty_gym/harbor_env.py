"""Harbor's trials in containers of agentpty's: ``--environment-import-path agentpty_gym.harbor_env:AgentptyEnvironment``.

A task's folder ``environment`` has a Dockerfile; images are not built here. What Docker would have made must be there:
this machine's system is, read-only below and written to above, and the files of ``files=`` are. A trial that needs
more than that fails where it needs it.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

from .client import Client
from .env import Environment
from .errors import AgentptyError
from .harbor_base import BaseEnvironment, HarborExecResult
from .spec import EnvironmentSpec

EXEC_SECONDS = 24 * 60 * 60.0
"""Harbor bounds its commands itself, or wants them unbounded; the daemon ends none later."""

ROOT = (None, "root", 0, "0")


class AgentptyEnvironment(BaseEnvironment):
    """One container of agentpty's, whose terminal is in :attr:`terminal`, for agents that type."""

    def __init__(self, *args: Any, client: Client | None = None, spec: EnvironmentSpec | None = None, **kwargs: Any) -> None:
        """
        Args:
            client: Of which daemon.
            spec: What the environment is made of, besides what Harbor says.
            *args, **kwargs: As Harbor's class.
        """
        self._client = client
        self._own_spec: EnvironmentSpec = {**spec} if spec is not None else {}
        self.terminal: Environment | None = None
        """None before the start."""
        super().__init__(*args, **kwargs)

    @staticmethod
    def type() -> Any:
        """Harbor's own list of types has none for others: the name alone."""
        return _EnvironmentType("agentpty")

    # Harbor up to 0.13 asks for these; later it asks for `capabilities`.
    is_mounted = False
    supports_gpus = False
    can_disable_internet = True

    @property
    def capabilities(self) -> Any:
        """What it can: be without a network."""
        from harbor.environments.capabilities import EnvironmentCapabilities

        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        """Whatever is there: a Dockerfile is not read."""

    async def start(self, force_build: bool = False) -> None:
        """Make the container; its terminal is a login shell. Errors: `InfraError`, `AgentptyError`."""
        if self.terminal is None:
            self.terminal = await asyncio.to_thread(self._make)
        await asyncio.to_thread(self.terminal.reset)
        await asyncio.to_thread(self.terminal.exec, "mkdir -p /logs/agent /logs/verifier /logs/artifacts")

    async def stop(self, delete: bool = True) -> None:
        """End it. Containers are not kept: `delete` says what happens anyway."""
        if self.terminal is not None:
            await asyncio.to_thread(self.terminal.close)
            self.terminal = None

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> Any:
        """Run a command by bash, on pipes.

        Args:
            timeout_sec: Seconds; then it is ended, with return code 124.
            user: Only root is there. Errors: `AgentptyError` for anybody else.
        """
        asked = user if user is not None else getattr(self, "default_user", None)
        if asked not in ROOT:
            raise AgentptyError("invalid_input", f"There is no user {asked!r} in a container of agentpty's.", "Use root.")
        variables = {**getattr(self, "_persistent_env", {}), **(env or {})}
        done = await asyncio.to_thread(
            self._running().exec, command, cwd=cwd, env=variables, timeout=timeout_sec or EXEC_SECONDS
        )
        stdout, stderr = (said.decode(errors="replace") for said in (done.stdout, done.stderr))
        # As coreutils' timeout, which Harbor's other environments run commands by.
        return HarborExecResult(stdout=stdout, stderr=stderr, return_code=124 if done.exit_code is None else done.exit_code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Copy a file inside."""
        await asyncio.to_thread(self._running().upload, source_path, target_path)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Copy what lies in a folder inside."""
        await asyncio.to_thread(self._running().upload, source_dir, target_dir)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Copy a file out."""
        await asyncio.to_thread(self._running().download, source_path, target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Copy what lies in a folder out."""
        await asyncio.to_thread(self._running().download, source_dir, target_dir)

    def _make(self) -> Environment:
        allows = getattr(self.task_env_config, "allow_internet", False)
        network: EnvironmentSpec = {"network": "on" if allows else "off"}
        shell: EnvironmentSpec = {"program": ["bash", "--login"], "rows": 40, "cols": 160}
        variables: EnvironmentSpec = {"env": dict(getattr(self, "_persistent_env", {}))}
        spec = cast(EnvironmentSpec, {**shell, **network, **variables, **self._own_spec})
        return Environment(client=self._client, **spec)

    def _running(self) -> Environment:
        if self.terminal is None:
            raise AgentptyError("invalid_input", "The environment is not running.", "Start it first.")
        return self.terminal


class _EnvironmentType(str):
    """Harbor reads the `value` of its enumeration."""

    @property
    def value(self) -> str:
        return str(self)
