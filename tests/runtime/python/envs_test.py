"""tenon.envs.Insertion: the shape of an environment, determinism, rewards."""

import os
import unittest
from pathlib import Path

import numpy as np

import tenon

SCENES = Path(os.environ["TENON_SOURCE_DIR"]) / "content" / "scenes"


def environment(**options):
    """A peg of 10 mm with 0.1 mm of clearance."""
    scene = tenon.load(SCENES / "insertion-benchmark.json", clearance_um=100, depth_mm=20)
    return tenon.envs.Insertion(scene, **options)


def compliant(observation):
    """Moves the tip to the axis and down, and turns the part upright."""
    turn = np.cross(observation[3:6], [0, 0, -1])
    return np.concatenate([-observation[:2] / 0.0005, [-1], turn / 0.01])


class Insertion(unittest.TestCase):
    def test_an_episode_begins_with_the_held_part_above_the_mouth(self):
        env = environment()
        observation, info = env.reset(seed=1, options={"offset": (0.0003, -0.0004), "tilt": (0.0, 0.01)})
        self.assertEqual(observation.shape, env.observation_space.shape)
        self.assertTrue(env.observation_space.contains(observation))
        np.testing.assert_allclose(observation[:3], [0.0003, -0.0004, 0.002], atol=1e-7)
        np.testing.assert_allclose(observation[3:6], [-np.sin(0.01), 0, -np.cos(0.01)], atol=1e-6)
        np.testing.assert_allclose(observation[6:12], 0, atol=1e-4)
        self.assertEqual(info["verdict"], "pending")
        self.assertEqual(env.simulation.state.hands["part"][0], env.simulation.scene.part_index("peg"))

    def test_a_compliant_policy_inserts_the_peg_and_a_lifting_one_does_not(self):
        env = environment(max_actions=120)
        for seed in range(3):
            observation, info = env.reset(seed=seed)
            total, terminated, truncated = 0.0, False, False
            while not (terminated or truncated):
                observation, reward, terminated, truncated, info = env.step(compliant(observation))
                total += reward
            self.assertTrue(terminated)
            self.assertEqual(info["verdict"], "inserted")
            self.assertAlmostEqual(info["depth"], 0.02, delta=2e-4)
            # The whole way, from 2 mm above the mouth to 20 mm below it, and 1 for the goal.
            self.assertAlmostEqual(total, 22 / 20 + 1, delta=0.01)
        env.reset(seed=0)
        for k in range(120):
            _, _, terminated, truncated, info = env.step([0, 0, 0.1, 0, 0, 0])
            self.assertFalse(terminated)
            self.assertEqual(truncated, k == 119)
        self.assertNotEqual(info["verdict"], "inserted")
        with self.assertRaisesRegex(tenon.SimulationError, "reset"):
            env.step(np.zeros(6))

    def test_the_same_seed_and_actions_give_the_same_bytes(self):
        def episode(env):
            env.reset(seed=3)
            env.action_space.seed(5)
            for _ in range(20):
                env.step(env.action_space.sample())
            return env.simulation.state_hash

        env = environment()
        first = episode(env)
        self.assertEqual(episode(env), first)
        self.assertEqual(episode(environment()), first)
        starts = {env.reset(seed=seed)[0].tobytes() for seed in (1, 2, 1)}
        self.assertEqual(len(starts), 2)

    def test_bad_actions_and_options_are_refused(self):
        env = environment()
        with self.assertRaises(tenon.SimulationError):
            env.step(np.zeros(6))
        env.reset(seed=0)
        for action in ([0] * 5, np.zeros((1, 6)), [0, 0, 0, 0, 0, float("nan")], "up"):
            with self.assertRaisesRegex(tenon.InputError, "action"):
                env.step(action)
        env.step(np.full(6, 1e6))
        with self.assertRaisesRegex(tenon.InputError, "options: speed"):
            env.reset(options={"speed": 1})
        with self.assertRaisesRegex(tenon.InputError, "options: offset"):
            env.reset(options={"offset": 1})
        for options in ({"height": -1}, {"steps_per_action": 0}, {"goal": 7}, {"hand": "foot"}, {"tilt": 2}):
            with self.assertRaises(tenon.InputError):
                environment(**options)
        with self.assertRaisesRegex(tenon.InputError, "no goal"):
            tenon.envs.Insertion(SCENES / "free-fall.json")
        env.close()
        with self.assertRaises(tenon.SimulationError):
            env.reset()

    def test_a_picture_has_the_documented_shape(self):
        env = environment(render_mode="rgb_array")
        env.reset(seed=0)
        self.assertEqual(env.render().shape, (480, 640, 3))
        self.assertIsNone(environment().render())


if __name__ == "__main__":
    unittest.main()
