"""Harbor's use of environments and sessions; with a substitute for its class if it is not installed."""

from __future__ import annotations

import asyncio
import tempfile
import unittest
from pathlib import Path
from typing import Any

from support import CAT, DaemonTest

from agentpty_gym import Environment
from agentpty_gym.errors import AgentptyError
from agentpty_gym.harbor_base import has_harbor
from agentpty_gym.harbor_env import AgentptyEnvironment, _is_of_this_system
from agentpty_gym.harbor_session import TmuxSessionShim

if has_harbor:
    print("SKIPPED: tests of Harbor's stand-in, since Harbor is installed", flush=True)


@unittest.skipIf(has_harbor, "they make the environment without Harbor's own paths")
class Trials(DaemonTest, unittest.IsolatedAsyncioTestCase):
    async def test_a_trial(self) -> None:
        env = AgentptyEnvironment(client=self.client, session_id="task__1", persistent_env={"A": "a"})
        self.assertEqual(env.type().value, "agentpty")
        with self.assertRaises(AgentptyError):
            await env.exec("true")
        await env.start(force_build=False)
        try:
            done = await env.exec("echo $A$B; pwd; echo oops >&2; exit 4", cwd="/tmp", env={"B": "b"})
            self.assertEqual((done.stdout, done.stderr, done.return_code), ("ab\n/tmp\n", "oops\n", 4))
            self.assertEqual((await env.exec("sleep 9", timeout_sec=1)).return_code, 124)
            self.assertEqual((await env.exec("ls /logs")).stdout.split(), ["agent", "artifacts", "verifier"])
            with self.assertRaises(AgentptyError):
                await env.exec("true", user="agent")
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                (folder / "tests").mkdir()
                (folder / "tests" / "test.sh").write_text("echo 1 > /logs/verifier/reward.txt\n")
                await env.upload_dir(folder / "tests", "/tests")
                await env.upload_file(folder / "tests" / "test.sh", "/tests/sub/again.sh")
                self.assertEqual((await env.exec("bash /tests/test.sh && ls /tests/sub")).stdout, "again.sh\n")
                await env.download_file("/logs/verifier/reward.txt", folder / "reward")
                self.assertEqual((folder / "reward").read_text(), "1\n")
                await env.download_dir("/logs", folder / "logs")
                self.assertTrue((folder / "logs" / "verifier" / "reward.txt").is_file())
        finally:
            await env.stop(delete=True)
        await env.stop(delete=True)


@unittest.skipIf(has_harbor, "they make the environment without Harbor's own paths")
class Definitions(DaemonTest, unittest.IsolatedAsyncioTestCase):
    def task(self, dockerfile: str | None, **files: str) -> Path:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        written = {"task.toml": "", "instruction.md": "Do it.\n", "tests/test.sh": "true\n", **files}
        if dockerfile is not None:
            written["environment/Dockerfile"] = dockerfile
        for name, content in written.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)
        return folder

    def environment(self, task: Path, context: str = "environment", **more: Any) -> AgentptyEnvironment:
        return AgentptyEnvironment(client=self.client, environment_dir=task / context, **more)

    async def test_a_dockerfile_is_followed(self) -> None:
        dockerfile = "FROM scratch\nWORKDIR /data\nENV COLOUR=blue\nCOPY given ./\nCOPY given /opt/deep/copy\n"
        env = self.environment(self.task(dockerfile, **{"environment/given": "given\n"}))
        await env.start()
        self.addAsyncCleanup(env.stop)
        done = await env.exec("pwd; echo $COLOUR; cat given /opt/deep/copy")
        self.assertEqual(done.stdout, "/data\nblue\ngiven\ngiven\n")

    async def test_the_tests_have_their_own_dockerfile(self) -> None:
        dockerfile = "FROM scratch\nCOPY test.sh /tests/test.sh\nRUN echo ready > /tmp/ready\n"
        task = self.task(None, **{"tests/Dockerfile": dockerfile, "tests/test.sh": "echo tested\n"})
        env = self.environment(task, "tests")
        await env.start()
        self.addAsyncCleanup(env.stop)
        self.assertEqual((await env.exec("bash /tests/test.sh; cat /tmp/ready")).stdout, "tested\nready\n")

    async def test_a_terminal_that_ends_leaves_the_container_to_the_trial(self) -> None:
        env = self.environment(self.task("FROM scratch\n"))
        await env.start()
        self.addAsyncCleanup(env.stop)
        assert env.terminal is not None
        await env.exec("sleep 1000 </dev/null >/dev/null 2>&1 &")
        self.assertTrue((await asyncio.to_thread(env.terminal.step, "exit")).terminated)
        self.assertEqual((await env.exec("pgrep -c sleep")).stdout, "1\n")

    async def test_unsupported_requirements_are_refused_before_the_start(self) -> None:
        refused = {
            "RUN make": (self.task("FROM scratch\nRUN make\n"), "allow"),
            "a second FROM": (self.task("FROM scratch\nFROM scratch\n"), "second FROM"),
            "a missing file": (self.task("FROM scratch\nCOPY nothing ./\n"), "nothing"),
            "another image": (self.task("FROM registry.example/other:1\n"), "allow_image"),
            "compose": (self.task(None, **{"environment/docker-compose.yaml": "services: {}\n"}), "several containers"),
        }
        for what, (task, why) in refused.items():
            with self.subTest(what), self.assertRaisesRegex(AgentptyError, why):
                self.environment(task)

    async def test_allowed_tasks_are_played(self) -> None:
        task = self.task("FROM registry.example/other:1\nWORKDIR /app\nRUN echo made > made\n")
        env = self.environment(task, allow_image=True, allow_run=True)
        await env.start()
        self.addAsyncCleanup(env.stop)
        self.assertEqual((await env.exec("cat made")).stdout, "made\n")

    async def test_an_unstarted_environment_is_not_left_open(self) -> None:
        env = self.environment(self.task("FROM scratch\n"))
        await env.stop()
        self.assertEqual(self.client.call("environments")["environments"], [])


class Systems(unittest.TestCase):
    def test_an_image_of_this_system_is_no_other(self) -> None:
        system = {"ID": "debian", "VERSION_ID": "12", "VERSION_CODENAME": "bookworm"}
        for image in ("debian:12", "docker.io/library/debian:bookworm-slim", "debian:12.5", "scratch"):
            self.assertTrue(_is_of_this_system(image, system), image)
        for image in ("debian", "debian:13", "ubuntu:12", "python:3.12-bookworm", "debian12"):
            self.assertFalse(_is_of_this_system(image, system), image)


class Sessions(DaemonTest, unittest.IsolatedAsyncioTestCase):
    async def make(self, **spec) -> TmuxSessionShim:
        env = await asyncio.to_thread(Environment, client=self.client, **spec)
        self.addCleanup(env.close)
        return TmuxSessionShim(env)

    async def test_keys_are_typed_and_the_screen_captured(self) -> None:
        session = await self.make()
        self.assertFalse(await session.is_session_alive())
        await session.start()
        self.assertTrue(await session.is_session_alive())
        self.assertIn("Current Terminal Screen:\n", await session.get_incremental_output())
        await session.send_keys(["echo he''llo", "Enter"], min_timeout_sec=10)
        self.assertIn("New Terminal Output:\n", new := await session.get_incremental_output())
        self.assertIn("\nhello\n", new)
        await session.send_keys("seq 100\n", block=True)
        self.assertNotIn("\n20\n", await session.capture_pane())
        self.assertIn("\n20\n", await session.capture_pane(capture_entire=True))
        await session.stop()
        self.assertFalse(await session.is_session_alive())

    async def test_a_duration_is_at_most_and_never_slept(self) -> None:
        session = await self.make()
        await session.start()
        await session.send_keys("true\n", min_timeout_sec=60)
        self.assertLess(session.last.info["timing"]["step_ms"], 10_000)
        with self.assertRaises(TimeoutError):
            await session.send_keys("sleep 60\n", block=True, max_timeout_sec=0.2)
        await session.send_keys("C-c", min_timeout_sec=5)
        self.assertEqual(session.last.info["exit_code"], 130)

    async def test_a_session_whose_program_has_ended_is_not_alive(self) -> None:
        session = await self.make(program=CAT)
        await session.start()
        await session.send_keys("C-d", min_timeout_sec=10)
        self.assertFalse(await session.is_session_alive())


if __name__ == "__main__":
    unittest.main()
