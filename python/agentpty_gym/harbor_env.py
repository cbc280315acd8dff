"""Harbor's trials in containers of agentpty's: ``--environment-import-path agentpty_gym.harbor_env:AgentptyEnvironment``.

The daemon follows the task's Dockerfile without images: COPY, ENV and WORKDIR are honoured, on the programs of this
machine. What cannot be honoured raises when the environment is made, before anybody plays.
"""

from __future__ import annotations

import asyncio
import platform
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from .client import Client
from .env import Environment
from .errors import AgentptyError
from .harbor_base import BaseEnvironment, HarborExecResult
from .spec import AskedTask, EnvironmentSpec

EXEC_SECONDS = 24 * 60 * 60.0
"""Harbor limits its commands itself, or wants them unlimited; the daemon ends none earlier."""

ROOT = (None, "root", 0, "0")

MADE_OF = frozenset({"task", "program", "files", "layers", "terminals"})
"""Options that define the environment themselves."""


@dataclass(frozen=True)
class _Context:
    """A folder of a task from which Harbor would build an image."""

    task: Path
    folder: Path

    def asked(self, allow_run: bool) -> AskedTask:
        context = self.folder.relative_to(self.task).as_posix()
        # Tests run unchanged, so the commands of their own Dockerfile may run as well. Harbor decides on the network.
        may_run = allow_run or context != "environment"
        return {"folder": self.task, "context": context, "allow_run": may_run, "offline_ok": True}


def _refuse_image(context: _Context, docker_image: str | None) -> None:
    """Errors: `AgentptyError` for an image of another system than this machine's."""
    metadata = tomllib.loads((context.task / "task.toml").read_text()).get("metadata", {})
    dockerfile = context.folder / "Dockerfile"
    text = dockerfile.read_text() if dockerfile.is_file() else ""
    found = re.search(r"^\s*FROM\s+(?:--\S+\s+)*(\S+)", text, re.IGNORECASE | re.MULTILINE)
    image = docker_image if found is None else found.group(1)
    # A task with agentpty's metadata was written to be played without its image.
    if image is None or "agentpty" in metadata or _is_of_this_system(image, _system()):
        return
    raise AgentptyError(
        "invalid_input",
        f"{context.task}: its image {image} is not used here, and is of another system than this machine.",
        "Play it on the programs of this machine: allow_image=True (--ek allow_image=true), or with Docker.",
    )


def _system() -> Mapping[str, str]:
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}


def _is_of_this_system(image: str, system: Mapping[str, str]) -> bool:
    """`debian:12-slim` on Debian 12, and `scratch`."""
    name, _, tag = image.rpartition("/")[2].partition("@")[0].partition(":")
    releases = [system[key] for key in ("VERSION_ID", "VERSION_CODENAME") if system.get(key)]
    release = tag.partition("-")[0]
    return name == "scratch" or (name == system.get("ID") and bool({release, release.partition(".")[0]} & {*releases}))


class AgentptyEnvironment(BaseEnvironment):
    """One container of agentpty's, whose terminal is in :attr:`terminal`, for agents that type."""

    def __init__(
        self,
        *args: Any,
        client: Client | None = None,
        spec: EnvironmentSpec | None = None,
        allow_run: bool = False,
        allow_image: bool = False,
        **kwargs: Any,
    ) -> None:
        """
        Args:
            client: Of which daemon.
            spec: What the environment is made of, besides what Harbor says. With ``program``, ``files``, ``layers`` or
                ``terminals`` the task's Dockerfile is not followed.
            allow_run: RUN of the Dockerfile is run inside, after each start.
            allow_image: A task of another system's image is played on the programs of this machine.
            *args, **kwargs: As Harbor's class.

        Raises:
            AgentptyError: ``invalid_input`` for a task that cannot be honoured here, with the next move.
        """
        self._client = client
        self._allow_run, self._allow_image = allow_run, allow_image
        self._prepared: Environment | None = None
        self._own_spec: EnvironmentSpec = {**spec} if spec is not None else {}
        self.terminal: Environment | None = None
        """None before the start."""
        super().__init__(*args, **kwargs)

    @staticmethod
    def type() -> Any:
        """The name alone, because Harbor's own list of types has none for others."""
        return _EnvironmentType("agentpty")

    # Harbor up to 0.13 asks for these; later it asks for `capabilities`.
    is_mounted = False
    supports_gpus = False
    can_disable_internet = True

    @property
    def capabilities(self) -> Any:
        """Its capabilities: it can be without a network."""
        from harbor.environments.capabilities import EnvironmentCapabilities

        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        """Create the environment, in which nothing runs yet. Errors: `AgentptyError` for unsupported requirements."""
        context = self._context()
        if context is None:
            return
        if not self._allow_image:
            _refuse_image(context, getattr(self.task_env_config, "docker_image", None))
        self._prepared = self._make()

    async def start(self, force_build: bool = False) -> None:
        """Start the container; its terminal is the task's program, or a shell. Errors: `InfraError`, `AgentptyError`."""
        if self.terminal is None:
            prepared, self._prepared = self._prepared, None
            self.terminal = prepared or await asyncio.to_thread(self._make)
        await asyncio.to_thread(self.terminal.reset)
        await asyncio.to_thread(self.terminal.exec, "mkdir -p /logs/agent /logs/verifier /logs/artifacts")

    async def stop(self, delete: bool = True) -> None:
        """End it. Containers are always removed, so `delete` has no effect."""
        for made in (self.terminal, self._prepared):
            if made is not None:
                await asyncio.to_thread(made.close)
        self.terminal = self._prepared = None

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> Any:
        """Run a command in bash, on pipes.

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
        if done.dropped_bytes > 0:
            stderr += f"\n[agentpty: {done.dropped_bytes} bytes of output beyond the first 8 MiB are left out]\n"
        # Like coreutils' timeout, which Harbor's other environments use for commands.
        return HarborExecResult(stdout=stdout, stderr=stderr, return_code=124 if done.exit_code is None else done.exit_code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Copy a file inside."""
        await asyncio.to_thread(self._running().upload, source_path, target_path)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Copy the contents of a folder inside."""
        await asyncio.to_thread(self._running().upload, source_dir, target_dir)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Copy a file out."""
        await asyncio.to_thread(self._running().download, source_path, target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Copy the contents of a folder out."""
        await asyncio.to_thread(self._running().download, source_dir, target_dir)

    def _make(self) -> Environment:
        context = self._context()
        size: EnvironmentSpec = {"rows": 40, "cols": 160}
        network: EnvironmentSpec = {"network": "on" if self._has_network() else "off"}
        variables: EnvironmentSpec = {"env": dict(getattr(self, "_persistent_env", {}))}
        shell: EnvironmentSpec = {"program": ["bash", "--login"]}
        task: EnvironmentSpec = {} if context is None else {"task": context.asked(self._allow_run)}
        spec = {**size, **network, **variables, **(task or shell), **self._own_spec}
        return Environment(client=self._client, **cast(EnvironmentSpec, spec))

    def _has_network(self) -> bool:
        policy = getattr(self, "_network_policy", None)
        if policy is not None:
            return str(getattr(policy.network_mode, "value", policy.network_mode)) == "public"
        return bool(getattr(self.task_env_config, "allow_internet", False))

    def _context(self) -> _Context | None:
        """The folder with its Dockerfile; None without a task, or if `spec` defines the environment."""
        if self.environment_dir is None or not MADE_OF.isdisjoint(self._own_spec):
            return None
        folder = Path(self.environment_dir).absolute()
        task = next((parent for parent in folder.parents if (parent / "task.toml").is_file()), None)
        return None if task is None else _Context(task, folder)

    def _running(self) -> Environment:
        if self.terminal is None:
            raise AgentptyError("invalid_input", "The environment is not running.", "Start it first.")
        return self.terminal


class _EnvironmentType(str):
    """Harbor reads the `value` of its enumeration."""

    @property
    def value(self) -> str:
        return str(self)
