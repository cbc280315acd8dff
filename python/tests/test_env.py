"""Environments without any dependency."""

from __future__ import annotations

import os
import pickle
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from support import CAT, DaemonTest, Instance, greeting_task

from agentpty_gym import AgentptyError, Batch, Client, Environment, InfraError


class Episodes(DaemonTest):
    def make(self, **spec) -> Environment:
        env = Environment(client=self.client, **spec)
        self.addCleanup(env.close)
        return env

    def test_an_episode_is_reset_and_stepped_through(self) -> None:
        env = self.make(program=["python3", "-q"])
        self.assertEqual(env.reset(seed=7).observation, ">>>")
        step = env.step("6 * 7")
        self.assertEqual(step.observation.splitlines()[-2:], ["42", ">>>"])
        self.assertEqual((step.reward, step.terminated, step.truncated), (0.0, False, False))
        self.assertEqual(step.info["state"], "ready")
        self.assertEqual(step.info["step"], 1)
        self.assertIsInstance(step.info["timing"]["step_ms"], float)

    def test_programs_can_read_the_seed(self) -> None:
        env = self.make(program='echo "seed $PYTHONHASHSEED"; cat')
        self.assertIn("seed 12", env.reset(seed=12).observation)

    def test_a_reset_leaves_nothing_of_the_last_episode(self) -> None:
        env = self.make()
        env.reset()
        env.step("echo 1 > left")
        self.assertEqual(env.exec("cat left").text, "1\n")
        env.reset()
        self.assertEqual(env.exec("ls -A").stdout, b"")

    def test_bytes_that_are_not_utf_8_are_counted(self) -> None:
        env = self.make()
        env.reset()
        self.assertEqual(env.step(r"printf 'caf\351 \303\251\n'").info["invalid_bytes"], 1)
        self.assertNotIn("invalid_bytes", env.step("echo e").info)

    def test_success_ends_the_episode_with_a_reward(self) -> None:
        env = self.make(program=CAT, success="swordfish", max_episode_steps=2)
        env.reset()
        self.assertFalse(env.step("trout").done)
        step = env.step("swordfish")
        self.assertEqual((step.reward, step.terminated), (1.0, True))
        with self.assertRaises(AgentptyError) as caught:
            env.step("more")
        self.assertEqual(caught.exception.code, "invalid_input")

    def test_an_episode_of_a_task_is_judged_at_its_end_or_on_request(self) -> None:
        with greeting_task() as folder:
            env = self.make(task=folder, max_episode_steps=1)
            assert env.task is not None
            self.assertEqual((env.task.instruction, env.task.step), ("Write hi into greeting.", None))
            env.reset()
            last = env.step("echo hi > greeting")
            self.assertEqual((last.reward, last.truncated, last.info["rewards"]), (1.0, True, {"reward": 1.0}))
            self.assertEqual((env.verify().reward, env.verify().output), (1.0, "judged\n"))
            env.reset()
            self.assertEqual(env.verify().rewards, {"reward": 0.0})
            with self.assertRaises(AgentptyError):
                env.step("ls")

    def test_an_included_task_is_generated_from_a_seed(self) -> None:
        env = self.make(task={"folder": "tty-30/drained-stdin", "seed": 2})
        env.reset()
        self.assertEqual(env.verify().reward, 0.0)

    def test_without_a_task_there_is_no_verdict(self) -> None:
        env = self.make()
        env.reset()
        with self.assertRaises(AgentptyError) as caught:
            env.verify()
        self.assertEqual(caught.exception.code, "invalid_input")

    def test_mappings_are_passed_on_unchanged(self) -> None:
        env = self.make(step_timeout_ms=200)
        env.reset()
        self.assertEqual(env.step("sleep 100").info["state"], "busy")
        step = env.step({"type": "keys", "keys": ["C-c"]})
        self.assertEqual((step.info["state"], step.info["exit_code"]), ("ready", 130))
        self.assertTrue(env.step({"type": "finish"}).terminated)

    def test_the_screen_is_rendered(self) -> None:
        env = self.make(program=CAT)
        self.assertEqual(env.render(), "")
        env.reset()
        env.step("hello")
        self.assertEqual(env.render().strip().splitlines(), ["hello", "hello"])

    def test_commands_run_outside_of_the_terminal(self) -> None:
        env = self.make(program=CAT, env={"A": "a"})
        env.reset()
        done = env.exec("cat; echo $A$B >&2; exit 3", env={"B": "b"}, input=b"\x00\xff")
        self.assertEqual((done.stdout, done.stderr, done.exit_code), (b"\x00\xff", b"ab\n", 3))
        self.assertIsNone(env.exec(["sleep", "9"], timeout=0.05).exit_code)

    def test_files_are_copied_in_and_out(self) -> None:
        env = self.make(program=CAT)
        env.reset()
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder, "here")
            (here / "sub").mkdir(parents=True)
            content = os.urandom(14 * 1024 * 1024)
            (here / "sub" / "big file").write_bytes(content)
            (here / "run.sh").write_text("echo ran\n")
            (here / "run.sh").chmod(0o755)
            (here / "link").symlink_to("run.sh")
            env.upload(here, "/app/all")
            self.assertEqual(env.exec("/app/all/run.sh; stat -c %u all/run.sh").text, "ran\n0\n")
            back = Path(folder, "back")
            env.download("/app/all", back)
            self.assertEqual((back / "sub" / "big file").read_bytes(), content)
            self.assertEqual(os.readlink(back / "link"), "run.sh")
            self.assertTrue(os.access(back / "run.sh", os.X_OK))
            env.upload(here / "run.sh", "/app/deep/er/other name")
            env.download("/app/deep/er/other name", Path(folder, "one"))
            self.assertEqual(Path(folder, "one").read_text(), "echo ran\n")
            with self.assertRaises(AgentptyError):
                env.download("/app/nothing", Path(folder, "two"))

    def test_given_files_are_restored_by_each_reset(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "given").write_text("given\n")
            env = self.make(files=Path(folder))
            env.reset()
            env.step("rm given")
            env.reset()
            self.assertEqual(env.exec("cat given").text, "given\n")

    def test_a_wrong_spec_is_refused_by_its_name(self) -> None:
        with self.assertRaises(AgentptyError) as caught:
            self.make(rows=0)
        self.assertEqual(caught.exception.code, "invalid_input")
        self.assertIn("rows", str(caught.exception))

    def test_closing_twice_is_no_error_and_using_it_then_is(self) -> None:
        env = self.make(program=CAT)
        env.reset()
        env.close()
        env.close()
        with self.assertRaises(AgentptyError):
            env.step("x")
        self.assertNotIn(env.id, self.ids())

    def test_an_unreferenced_environment_is_closed_when_the_next_is_created(self) -> None:
        env = Environment(client=self.client, program=CAT)
        lost = env.id
        del env
        self.make(program=CAT)
        # It is closed without a waiting caller.
        for _ in range(1_000):
            if lost not in self.ids():
                return
        self.fail(f"{lost} is still there")

    def test_a_forked_process_leaves_its_parents_environment_alone(self) -> None:
        env = self.make(program=CAT)
        env.reset()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                env.close()
                try:
                    env.step("x")
                except AgentptyError:
                    with Environment(client=self.client, program=CAT) as other:
                        other.reset()
                        code = 0 if other.step("mine").observation else 1
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertIn("still", env.step("still").observation)

    def test_a_fork_has_the_same_state_and_continues_separately(self) -> None:
        env = self.make()
        env.reset()
        env.step("echo one > file")
        other, how = env.fork()
        self.addCleanup(other.close)
        self.assertEqual((how.replayed, how.differs_at), (1, None))
        other.step("echo two > file")
        self.assertEqual((env.exec("cat file").text, other.exec("cat file").text), ("one\n", "two\n"))

    def ids(self) -> list[str]:
        return [one["environmentId"] for one in self.client.call("environments")["environments"]]


class Clients(unittest.TestCase):
    def test_variables_are_read_at_each_connect(self) -> None:
        client = Client()
        with tempfile.TemporaryDirectory() as home, unittest.mock.patch.dict(os.environ, clear=True):
            os.environ.update({"AGENTPTY_HOME": home, "PATH": "/nowhere"})
            with self.assertRaises(AgentptyError) as raised:
                client.call("environments")
            self.assertEqual(raised.exception.code, "no_daemon")
            os.environ["AGENTPTY_PROGRAM"] = "/nowhere/agentpty"
            with self.assertRaises(AgentptyError) as raised:
                client.call("environments")
            self.assertEqual(raised.exception.code, "daemon_gone")

    def test_a_pickle_holds_no_secret(self) -> None:
        with unittest.mock.patch.dict(os.environ, {"SOME_API_KEY": "swordfish"}):
            for client in (Client(), Client({**os.environ, "AGENTPTY_TOKEN": "swordfish"})):
                self.assertNotIn(b"swordfish", pickle.dumps(client))
        copy = pickle.loads(pickle.dumps(Client({"AGENTPTY_HOME": "/somewhere", "SOME_API_KEY": "x"})))
        self.assertEqual(copy._env, {"AGENTPTY_HOME": "/somewhere"})


class Batches(DaemonTest):
    def test_several_are_reset_and_stepped_concurrently(self) -> None:
        with Batch(2, client=self.client, program=CAT) as batch:
            batch.run(resets={0: 1, 1: 2})
            stepped = batch.run(steps={0: "one", 1: "two"})
            self.assertEqual([stepped[at].observation for at in range(2)], ["one", "two"])
        self.assertEqual(self.client.call("environments")["environments"], [])


class LostDaemon(unittest.TestCase):
    def setUp(self) -> None:
        self.instance = Instance()
        self.addCleanup(self.instance.stop)
        self.client = self.instance.client()
        self.addCleanup(self.client.close)

    def test_an_environment_lost_with_its_daemon_is_reported_and_recreated(self) -> None:
        reporting = Environment(client=self.client, on_infra="info", program=CAT)
        raised = Environment(client=self.client, program=CAT)
        reporting.reset()
        raised.reset()
        self.instance.cli("stop", "--all")
        step = reporting.step("x")
        self.assertEqual((step.terminated, step.truncated), (False, True))
        self.assertIn(step.infra_error["code"], ("daemon_gone", "environment_not_found"))
        self.assertTrue(reporting.step("y").truncated)
        with self.assertRaises(InfraError):
            raised.step("x")
        self.assertIsNone(reporting.reset().infra_error)
        self.assertIn("again", reporting.step("again").observation)
        raised.reset()

    def test_without_a_program_to_start_the_error_names_the_next_step(self) -> None:
        lonely = Client({"AGENTPTY_HOME": self.instance.home, "PATH": "/nonexistent"})
        with self.assertRaises(AgentptyError) as caught:
            lonely.call("environments")
        self.assertEqual(caught.exception.code, "no_daemon")
        self.assertIn("AGENTPTY_PROGRAM", caught.exception.hint)


if __name__ == "__main__":
    unittest.main()
