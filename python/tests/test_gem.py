"""GEM's form of environments, with and without GEM."""

from __future__ import annotations

import unittest

from support import CAT, DaemonTest, greeting_task

from agentpty_gym.errors import AgentptyError
from agentpty_gym.gem_env import GemTerminalEnv, make_vec, register

try:
    import gem as _gem  # noqa: F401

    has_gem = True
except ImportError:
    has_gem = False


class Gem(DaemonTest):
    def make(self, **spec) -> GemTerminalEnv:
        env = GemTerminalEnv(client=self.client, **spec)
        self.addCleanup(env.close)
        return env

    def test_an_episode(self) -> None:
        env = self.make(program=CAT, success="win")
        observation, info = env.reset(seed=1)
        self.assertEqual((observation, info["state"]), ("", "ready"))
        observation, reward, terminated, truncated, info = env.step("win")
        self.assertEqual((reward, terminated, truncated), (1.0, True, False))

    def test_a_task_starts_with_its_instruction_and_ends_with_a_verdict(self) -> None:
        with greeting_task() as folder:
            env = self.make(task=folder, max_episode_steps=1)
            self.assertTrue(env.reset()[0].startswith("Write hi into greeting.\n\n"))
            self.assertEqual(env.step("echo hi > greeting")[1:4], (1.0, False, True))
            many = make_vec(2, client=self.client, task=folder, max_episode_steps=1)
            self.addCleanup(many.close)
            many.reset()
            observations, rewards, *_ = many.step(["echo hi > greeting", "true"])
            self.assertEqual(rewards, [1.0, 0.0])
            self.assertTrue(observations[1].startswith("Write hi"))

    def test_random_actions_are_repeated_by_their_seed_and_refused_without_a_container(self) -> None:
        env = self.make(program=CAT)
        env.reset(seed=4)
        first = [env.sample_random_action() for _ in range(9)]
        env.reset(seed=4)
        self.assertEqual([env.sample_random_action() for _ in range(9)], first)
        with self.assertRaises(AgentptyError):
            self.make(isolation="none").sample_random_action()

    def test_a_spawned_environment_is_new_or_has_the_same_state(self) -> None:
        env = self.make()
        env.reset()
        env.step("x=5")
        new = env.spawn(cols=100)
        self.addCleanup(new.close)
        new.reset()
        self.assertIn("100", new.step("tput cols; echo [$x]")[0])
        same = env.spawn(same_state=True)
        self.addCleanup(same.close)
        self.assertIn("[5]", same.step("echo [$x]")[0])

    def test_many_reset_in_the_same_step(self) -> None:
        envs = make_vec(3, client=self.client, program=CAT, success="win")
        self.addCleanup(envs.close)
        self.assertEqual(envs.reset(seed=1)[0], ["", "", ""])
        observations, rewards, terminated, _, infos = envs.step(["a", "win", "c"])
        self.assertEqual((rewards, terminated, observations[1]), ([0.0, 1.0, 0.0], [False, True, False], ""))
        self.assertIn("win", infos[1]["final_obs"])
        self.assertEqual([one["step"] for one in infos], [1, 0, 1])
        self.assertEqual([one["step"] for one in envs.step({2: "x", 0: "y"})[4]], [2, 2])

    def test_the_seed_of_the_constructor_is_that_of_the_first_episode(self) -> None:
        env = self.make(seed=7)
        env.reset()
        self.assertIn("[7]", env.step("echo [$AGENTPTY_SEED]")[0])
        env.reset()
        self.assertIn("[]", env.step("echo [$AGENTPTY_SEED]")[0])
        other = self.make(seed=7)
        other.reset(seed=3)
        self.assertIn("[3]", other.step("echo [$AGENTPTY_SEED]")[0])

    @unittest.skipUnless(has_gem, "GEM is not installed")
    def test_a_vector_of_gem(self) -> None:
        import gem

        register("agentpty:Test-v0")
        envs = gem.make_vec(["agentpty:Test-v0"] * 3, seed=5, client=self.client)
        self.assertEqual(len(envs.reset()[0]), 3)
        shown = envs.step(["echo [$AGENTPTY_SEED]"] * 3)[0]
        self.assertTrue(all(f"[{5 + at}]" in one for at, one in enumerate(shown)), shown)


if __name__ == "__main__":
    unittest.main()
