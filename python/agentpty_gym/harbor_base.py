"""Harbor's classes, or substitutes with the same names if it is not installed, so that the adapter can be used and tested."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

__all__ = ["BaseEnvironment", "HarborExecResult", "has_harbor"]


@dataclass
class _ExecResult:
    stdout: str | None = None
    stderr: str | None = None
    return_code: int = 0


class _BaseEnvironment(ABC):
    """The abstract methods of Harbor's class, and the used part of its constructor."""

    def __init__(
        self,
        environment_dir: Any = None,
        environment_name: str = "",
        session_id: str = "",
        trial_paths: Any = None,
        task_env_config: Any = None,
        logger: Any = None,
        **others: Any,
    ) -> None:
        self.environment_dir = environment_dir
        self.environment_name = environment_name
        self.session_id = session_id
        self.trial_paths = trial_paths
        self.task_env_config = task_env_config
        self.default_user: str | int | None = None
        self._persistent_env: dict[str, str] = dict(others.get("persistent_env") or {})
        self._validate_definition()

    @staticmethod
    @abstractmethod
    def type() -> Any: ...

    @abstractmethod
    def _validate_definition(self) -> None: ...

    @abstractmethod
    async def start(self, force_build: bool) -> None: ...

    @abstractmethod
    async def stop(self, delete: bool) -> None: ...

    @abstractmethod
    async def upload_file(self, source_path: Any, target_path: str) -> None: ...

    @abstractmethod
    async def upload_dir(self, source_dir: Any, target_dir: str) -> None: ...

    @abstractmethod
    async def download_file(self, source_path: str, target_path: Any) -> None: ...

    @abstractmethod
    async def download_dir(self, source_dir: str, target_dir: Any) -> None: ...

    @abstractmethod
    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> Any: ...


if TYPE_CHECKING:
    BaseEnvironment = _BaseEnvironment
    HarborExecResult = _ExecResult
    has_harbor = False
else:
    try:
        from harbor.environments.base import BaseEnvironment
        from harbor.environments.base import ExecResult as HarborExecResult

        has_harbor = True
    except ImportError:
        BaseEnvironment, HarborExecResult, has_harbor = _BaseEnvironment, _ExecResult, False
