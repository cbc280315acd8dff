"""A private instance of the built product for a test: its own home and daemon, with no process left."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]
PROGRAM = PYTHON.parent / "packages/agentpty/bin/agentpty.js"
sys.path.insert(0, str(PYTHON))

from agentpty_gym import Client  # noqa: E402  (the path is set first)

CAT = ["cat"]
"""The safest program: it prints its input."""


@contextlib.contextmanager
def greeting_task() -> Iterator[str]:
    """The folder of a task: write hi into greeting."""
    files = {
        "task.toml": "",
        "instruction.md": "Write hi into greeting.\n",
        "tests/test.sh": "if grep -qx hi greeting; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\necho judged\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)
        yield folder


class Instance:
    """One daemon, for the tests of one class."""

    def __init__(self) -> None:
        self.home = tempfile.mkdtemp(prefix="agentpty-python-")
        self.env = {**os.environ, "AGENTPTY_HOME": self.home, "AGENTPTY_PROGRAM": str(PROGRAM)}
        # The tests may themselves run in a terminal of another instance.
        for name in ("AGENTPTY_TERMINAL", "AGENTPTY_LINEAGE", "AGENTPTY_TOKEN"):
            self.env.pop(name, None)

    def cli(self, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["node", str(PROGRAM), *args], env=self.env, capture_output=True, text=True, timeout=60)

    def client(self) -> Client:
        return Client(self.env)

    def stop(self) -> None:
        self.cli("stop", "--all")
        shutil.rmtree(self.home, ignore_errors=True)


class DaemonTest(unittest.TestCase):
    """Tests that share a daemon; `self.client` belongs to them, and is closed after the last one."""

    instance: Instance
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.instance = Instance()
        cls.addClassCleanup(cls.instance.stop)
        cls.client = cls.instance.client()
        cls.addClassCleanup(cls.client.close)
