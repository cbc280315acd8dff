"""Gymnasium's own checks, and its three ways of resetting automatically. Skipped with a note if gymnasium is not installed."""

from __future__ import annotations

import os
import unittest
import unittest.mock
import warnings

from support import CAT, DaemonTest

try:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env
    from gymnasium.vector import AutoresetMode

    from agentpty_gym.errors import AgentptyError
    from agentpty_gym.gymnasium_env import TerminalEnv, Unicode, register
    from agentpty_gym.gymnasium_vector import TerminalVectorEnv
except ImportError as missing:
    print(f"SKIPPED: all tests of gymnasium ({missing}). To run them: python3 -m pip install gymnasium", flush=True)
    raise unittest.SkipTest("gymnasium is not installed") from missing


class Space(unittest.TestCase):
    def test_any_text_is_inside_and_samples_are_harmless(self) -> None:
        space = Unicode(20)
        for text in ("", "é字🙂", "\x1b[0m\n"):
            self.assertIn(text, space)
        self.assertNotIn("x" * 21, space)
        self.assertNotIn(7, space)
        space.seed(3)
        first = [space.sample() for _ in range(20)]
        space.seed(3)
        self.assertEqual([space.sample() for _ in range(20)], first)
        self.assertTrue(all(one in space for one in first))
        self.assertEqual(Unicode(20), space)
        self.assertNotEqual(Unicode(21), space)

    def test_without_isolation_random_actions_are_refused(self) -> None:
        with self.assertRaises(AgentptyError):
            Unicode(20, may_sample=False).sample()


class One(DaemonTest):
    def make(self, **more) -> TerminalEnv:
        env = TerminalEnv(client=self.client, **more)
        self.addCleanup(env.close)
        return env

    def test_gymnasiums_checker_passes(self) -> None:
        env = self.make(program=CAT, strict=True, render_mode="ansi")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            check_env(env)
        said = [str(one.message) for one in caught]
        # It has no spec, because it was not created by name: the checker reports that it cannot try other render modes.
        self.assertEqual([one for one in said if "not having a spec" not in one], [])

    def test_made_by_its_name_it_passes_too(self) -> None:
        register()
        register()
        env = gymnasium.make("agentpty/Terminal-v0", program=CAT, client=self.client, max_episode_steps=2)
        self.addCleanup(env.close)
        observation, info = env.reset(seed=1)
        self.assertEqual((observation, info["state"]), ("", "ready"))
        self.assertFalse(env.step("one")[3])
        self.assertTrue(env.step("two")[3])
        check_env(env.unwrapped)

    def test_strict_observations_contain_nothing_random(self) -> None:
        env = self.make(program=CAT, strict=True)
        self.assertEqual(set(env.reset()[1]), {"state", "kind", "step", "isolation", "reset_by"})

    def test_without_a_container_random_actions_are_refused(self) -> None:
        env = self.make(program=CAT, isolation="none")
        with self.assertRaises(AgentptyError):
            env.action_space.sample()
        self.assertIsInstance(self.make(isolation="none", allow_unsafe=True).action_space.sample(), str)

    def test_mappings_and_strings_of_numpy_are_actions_and_numbers_are_not(self) -> None:
        env = self.make(program=CAT)
        env.reset()
        self.assertIn("hello", env.step(np.str_("hello"))[0])
        self.assertIn("there", env.step({"type": "send", "text": "there", "enter": True})[0])
        with self.assertRaises(AgentptyError):
            env.step(7)

    def test_a_failure_of_the_machinery_truncates_and_is_named(self) -> None:
        env = self.make(program=CAT)
        env.reset()
        self.client.call("closeEnvironment", {"environmentId": env.terminal.id})
        _, _, terminated, truncated, info = env.step("x")
        self.assertEqual((terminated, truncated, info["infra_error"]["code"]), (False, True, "environment_not_found"))
        self.assertNotIn("infra_error", env.reset()[1])


class Many(DaemonTest):
    def make(self, mode: str, count: int = 3, **more) -> TerminalVectorEnv:
        envs = TerminalVectorEnv(
            count, client=self.client, program=CAT, success="win", autoreset_mode=mode, **more
        )
        self.addCleanup(envs.close)
        return envs

    def test_the_next_step_resets(self) -> None:
        envs = self.make("NextStep")
        observations, infos = envs.reset(seed=5)
        self.assertIn(observations, envs.observation_space)
        self.assertEqual(infos["_state"].tolist(), [True] * 3)
        _, rewards, terminated, truncated, _ = envs.step(("a", "win", "c"))
        self.assertEqual((rewards.tolist(), rewards.dtype), ([0, 1, 0], np.float64))
        self.assertEqual((terminated.tolist(), truncated.tolist()), ([False, True, False], [False] * 3))
        observations, rewards, terminated, _, infos = envs.step(("a", "win", "c"))
        self.assertEqual((observations[1], rewards.tolist(), terminated.tolist()), ("", [0, 0, 0], [False] * 3))
        self.assertEqual(infos["step"].tolist(), [2, 0, 2])

    def test_the_same_step_resets(self) -> None:
        envs = self.make("SameStep")
        envs.reset()
        observations, rewards, terminated, _, infos = envs.step(("a", "win", "c"))
        self.assertEqual((observations[1], rewards[1], terminated[1]), ("", 1, True))
        self.assertIn("win", infos["final_obs"][1])
        self.assertEqual(infos["_final_obs"].tolist(), [False, True, False])
        self.assertEqual(infos["final_info"]["step"].tolist(), [0, 1, 0])
        self.assertEqual(infos["step"].tolist(), [1, 0, 1])
        self.assertFalse(envs.step(("a", "b", "c"))[2].any())

    def test_without_it_only_masked_ones_reset(self) -> None:
        envs = self.make("Disabled", render_mode="ansi")
        envs.reset()
        envs.step(("a", "win", "c"))
        with self.assertRaises(RuntimeError):
            envs.step(("a", "b", "c"))
        for wrong in (np.zeros(3, dtype=np.bool_), np.ones(2, dtype=np.bool_), [True] * 3):
            with self.assertRaises(ValueError):
                envs.reset(options={"reset_mask": wrong})
        observations, infos = envs.reset(options={"reset_mask": np.array([False, True, False])})
        self.assertEqual((observations[1], infos["_step"].tolist()), ("", [False, True, False]))
        self.assertEqual(envs.step(("a", "b", "c"))[4]["step"].tolist(), [2, 1, 2])
        self.assertEqual(len(envs.render() or ()), 3)

    def test_steps_can_be_started_and_awaited(self) -> None:
        envs = self.make("NextStep")
        envs.reset()
        with self.assertRaises(RuntimeError):
            envs.step_wait()
        envs.step_async(("a", "b", "c"))
        with self.assertRaises(RuntimeError):
            envs.step_async(("a", "b", "c"))
        self.assertEqual([one.splitlines()[-1] for one in envs.step_wait()[0]], ["a", "b", "c"])
        self.assertEqual([one.text for one in envs.call("exec", "echo x")], ["x\n"] * 3)

    def test_failures_are_in_the_infos_by_their_mask(self) -> None:
        envs = self.make("NextStep")
        envs.reset()
        self.client.call("closeEnvironment", {"environmentId": envs.batch.environments[1].id})
        _, _, _, truncated, infos = envs.step(("a", "b", "c"))
        self.assertEqual((truncated.tolist(), infos["_infra_error"].tolist()), ([False, True, False],) * 2)
        self.assertEqual(infos["infra_error"]["code"][1], "environment_not_found")
        self.assertFalse(envs.step(("a", "b", "c"))[3].any())

    def test_they_are_made_by_name_in_each_mode(self) -> None:
        register()
        envs = gymnasium.make_vec(
            "agentpty/Terminal-v0",
            num_envs=2,
            vectorization_mode="vector_entry_point",
            autoreset_mode="SameStep",
            client=self.client,
            program=CAT,
        )
        self.addCleanup(envs.close)
        self.assertEqual(envs.metadata["autoreset_mode"], AutoresetMode.SAME_STEP)
        self.assertEqual(len(envs.reset()[0]), 2)

    def test_processes_of_gymnasium_share_observations_by_its_defaults(self) -> None:
        register()
        with unittest.mock.patch.dict(os.environ, self.instance.env):
            envs = gymnasium.make_vec("agentpty/Terminal-v0", num_envs=2, vectorization_mode="async", program=CAT)
            self.addCleanup(envs.close)
            self.assertEqual(envs.reset(seed=1)[0], ("", ""))
            self.assertEqual(envs.step(("é字🙂", "b"))[0], ("é字🙂", "b"))


if __name__ == "__main__":
    unittest.main()
