"""TRL's use of environments: creation, tools and rewards."""

from __future__ import annotations

import inspect
import typing
import unittest

from support import CAT, DaemonTest, greeting_task

from agentpty_gym.errors import AgentptyError
from agentpty_gym.trl_env import TrlTerminalEnv, terminal_factory


class Trl(DaemonTest):
    def make(self, **spec) -> TrlTerminalEnv:
        env = terminal_factory(client=self.client, **spec)()
        self.addCleanup(env._close)
        return env

    def test_its_public_methods_are_the_tools(self) -> None:
        probed = TrlTerminalEnv()
        # Like TRL, which evaluates properties of an instance that has never been reset.
        found = {name: one for name, one in inspect.getmembers(probed, inspect.ismethod) if not name.startswith("_")}
        self.assertEqual(set(found), {"reset", "get_reward", "send", "keys", "wait", "screen"})
        for name in ("send", "keys", "wait", "screen"):
            hints = typing.get_type_hints(found[name])
            arguments = inspect.signature(found[name]).parameters
            self.assertEqual(set(hints), {*arguments, "return"})
            for argument in arguments:
                self.assertRegex(found[name].__doc__, rf"Args:\n(.|\n)*\n? +{argument}: ")
        self.assertIsNone(probed.reward)

    def test_a_task_starts_with_its_instruction_and_is_judged_on_request(self) -> None:
        with greeting_task() as folder:
            env = self.make(task=folder)
            self.assertTrue((env.reset() or "").startswith("Write hi into greeting.\n\n"))
            env.send("echo hi > greeting")
            self.assertEqual(env.reward, 1.0)

    def test_an_episode(self) -> None:
        env = self.make(success="swordfish", step_timeout_ms=300)
        self.assertIn("#", env.reset(prompt="ignored", seed=3))
        self.assertIn("still running", env.send("sleep 0.5; echo word"))
        self.assertIn("word", env.wait(5.0))
        env.send("sleep 100")
        self.assertIn("#", env.keys(["C-c"]))
        self.assertIn("word", env.screen())
        self.assertIn("the episode is over", env.send("echo sword''fish"))
        self.assertEqual((env.reward, env.get_reward()), (1.0, 1.0))
        with self.assertRaises(AgentptyError):
            env.send("more")
        env.reset()
        self.assertEqual(env.reward, 0.0)
        with self.assertRaises(AgentptyError):
            env.send("after the reward was read")

    def test_an_episode_lost_by_the_machinery_has_no_reward(self) -> None:
        env = self.make(program=CAT)
        env.reset()
        self.client.call("closeEnvironment", {"environmentId": env._environment.id})
        with self.assertRaises(AgentptyError):
            env.send("x")
        self.assertIsNone(env.reward)
        env.reset()
        self.assertIn("x", env.send("x"))


if __name__ == "__main__":
    unittest.main()
