"""A learning environment: a policy of three lines inserts a peg; a random one does not.

Usage: python3 learning_environment.py [SCENES]
    SCENES  folder of insertion-benchmark.json; default: content/scenes
"""

import sys
from pathlib import Path

import numpy as np

import tenon

scenes = Path(sys.argv[1] if len(sys.argv) > 1 else "content/scenes")
scene = tenon.load(scenes / "insertion-benchmark.json", clearance_um=100, depth_mm=20)
env = tenon.envs.Insertion(scene, max_actions=120)


def compliant(observation):
    """Moves the tip towards the axis and down, and turns the part upright."""
    tip, direction = observation[:3], observation[3:6]
    turn = np.cross(direction, [0, 0, -1])
    return np.concatenate([-tip[:2] / 0.0005, [-1], turn / 0.01])


def episode(policy, seed):
    """Return (sum of rewards), actions and the last info of an episode."""
    observation, info = env.reset(seed=seed)
    total, actions = 0.0, 0
    while True:
        observation, reward, terminated, truncated, info = env.step(policy(observation))
        total, actions = total + reward, actions + 1
        if terminated or truncated:
            return total, actions, info


env.action_space.seed(0)
for name, policy in [("compliant", compliant), ("random", lambda observation: env.action_space.sample())]:
    for seed in range(2):
        total, actions, info = episode(policy, seed)
        print(
            f"{name}, seed {seed}: {info['verdict']}, {info['depth'] * 1e3:.1f} mm after {actions} actions, "
            f"return {total:.2f}"
        )
env.close()
