"""Learning environments with exact contact, in the shape of Gymnasium's environments; the package is not needed."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _tenon
from ._arguments import PathLike, number, vector, whole
from ._commands import Grasp, MoveHand, SetPose
from ._scene import Scene, load
from ._simulation import Simulation

Floats = NDArray[np.float64]


class Box:
    """A box of arrays, as `gymnasium.spaces.Box`: `low`, `high`, `shape`, `dtype`, `sample()`, `contains()`."""

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        self.low: Floats = np.asarray(low, dtype=np.float64)
        self.high: Floats = np.asarray(high, dtype=np.float64)
        self.shape = self.low.shape
        self.dtype = np.dtype(np.float64)
        self._random = np.random.default_rng(0)

    def seed(self, seed: Optional[int] = None) -> None:
        """Seeds `sample()`."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> Floats:
        """A random element; sides without a limit are sampled within ±1."""
        low, high = np.where(np.isfinite(self.low), self.low, -1), np.where(np.isfinite(self.high), self.high, 1)
        return self._random.uniform(low, high)

    def contains(self, x: ArrayLike) -> bool:
        """True for a finite array of this shape within the limits."""
        array = np.asarray(x, dtype=np.float64)
        return array.shape == self.shape and bool(np.all((array >= self.low) & (array <= self.high)))

    def __repr__(self) -> str:
        return f"Box(shape={self.shape})"


def _rotation(quaternion: Floats) -> Floats:
    """Rotation matrix of a unit quaternion w x y z."""
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _unit(x: Floats) -> Floats:
    """x divided by its length."""
    divided: Floats = x / np.linalg.norm(x)
    return divided


def _product(a: Floats, b: Floats) -> Floats:
    """Product of two quaternions w x y z, of length 1."""
    w, v = a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return _unit(np.array([w, *v]))


def _from_rotation_vector(phi: Floats) -> Floats:
    """Quaternion w x y z of a rotation vector [rad]."""
    angle = float(np.linalg.norm(phi))
    scale = 0.5 if angle < 1e-12 else np.sin(angle / 2) / angle
    return np.array([np.cos(angle / 2), *(scale * phi)])


def _between(a: Floats, b: Floats) -> Floats:
    """Quaternion of the shortest rotation from unit vector a to unit vector b."""
    if a @ b < -1 + 1e-12:
        axis = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        return np.array([0.0, *_unit(axis)])
    return _unit(np.array([1 + a @ b, *np.cross(a, b)]))


class Insertion:
    """A hand inserts the part of a goal into its hole.

    At `reset()` the hand holds the part above the mouth, beside the axis and tilted by seeded random numbers.

    *Action*, shape (6,), each from -1 to 1: displacement of the hand's target in the world during one action, in units
    of `max_move` [m] (first three) and rotation in units of `max_turn` [rad] about the part's tip (last three).

    *Observation*, shape (16,), in the hole's frame (origin in the mouth, z out of the hole): tip position (3) [m];
    tip direction (3); velocity of the part's center of mass (3) [m/s]; angular velocity (3) [rad/s]; force of the
    hand on the part (3) [N]; depth (1) [m], negative above the mouth.

    *Reward*: gain of depth as a fraction of the goal's depth, less `force_cost` × the push of the hole [N], plus 1 when
    the goal is reached. *Terminated*: the goal is reached, or the hand has lost the part. *Truncated*: after
    `max_actions`. `info`: `verdict`, `depth` [m], `push` [N], `max_push` [N], `time` [s].

    `scene`: a Scene or scene file with a goal and a hand. `goal`, `hand`: name or index. `height`: of the tip above
    the mouth at the start [m]. `offset` [m] and `tilt` [rad]: largest random ones. `steps_per_action`: simulated
    steps. `solver`: as of `tenon.run()`. The same seed and the same actions give the same bytes.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}

    def __init__(
        self,
        scene: Scene | PathLike,
        *,
        goal: str | int = 0,
        hand: str | int = 0,
        height: float = 0.002,
        offset: float = 0.0005,
        tilt: float = 0.01,
        max_move: float = 0.0005,
        max_turn: float = 0.01,
        steps_per_action: int = 20,
        max_actions: int = 200,
        force_cost: float = 0.0,
        solver: str = "auto",
        render_mode: Optional[str] = None,
    ) -> None:
        self._scene = scene if isinstance(scene, Scene) else load(scene)
        if render_mode not in (None, "rgb_array"):
            raise _tenon.InputError(f"render_mode: {render_mode!r}: is not a mode; give \"rgb_array\" or None")
        self.render_mode = render_mode
        self._goal = self._scene._handle.goal_index(goal)
        self._hand = self._scene._handle.hand_index(hand)
        geometry = self._scene.goal_geometry(self._goal)
        self._part = self._scene.part_index(geometry["part"])
        self._into = self._scene.part_index(geometry["into"])
        self._depth = float(geometry["depth"])
        self._tip = np.array(geometry["tip_origin"])
        self._direction = np.array(geometry["tip_direction"])
        self._mouth = np.array(geometry["mouth_position"])
        self._hole = _rotation(np.array(geometry["mouth_quaternion"]))
        self._height = number("height", height, 0)
        self._offset = number("offset", offset, 0)
        self._tilt = number("tilt", tilt, 0, 1.5)
        self._max_move = number("max_move", max_move, 0)
        self._max_turn = number("max_turn", max_turn, 0, 1)
        self._steps = whole("steps_per_action", steps_per_action, 1, 10**6)
        self._max_actions = whole("max_actions", max_actions, 1, 10**9)
        self._force_cost = number("force_cost", force_cost, 0)
        self._simulation = Simulation(self._scene, solver=solver, scripted=False)
        self._random = np.random.default_rng()
        self._actions = 0
        self._ended = True
        self.action_space = Box(np.full(6, -1.0), np.full(6, 1.0))
        self.observation_space = Box(np.full(16, -np.inf), np.full(16, np.inf))

    @property
    def simulation(self) -> Simulation:
        """The simulation, to look at; commands of one's own change the episode."""
        return self._simulation

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begins an episode; returns (observation, info). `seed`: of the random start, and of those after it.

        `options`: `{"offset": (x, y), "tilt": (x, y)}` in place of random numbers: of the tip beside the axis [m], and
        of the part about the hole's x and y [rad].
        """
        if seed is not None:
            self._random = np.random.default_rng(whole("seed", seed, 0, 2**63))
        offset = self._disk(self._offset)
        tilt = self._disk(self._tilt)
        if options:
            unknown = sorted(set(options) - {"offset", "tilt"})
            if unknown:
                raise _tenon.InputError(f"options: {unknown[0]}: is not an option; use offset or tilt")
            offset = np.array(vector("options: offset", options.get("offset", offset), 2, "[m]"))
            tilt = np.array(vector("options: tilt", options.get("tilt", tilt), 2, "[rad]"))
        upright = _between(self._direction, -self._hole[:, 2])
        turn = _from_rotation_vector(self._hole @ np.array([tilt[0], tilt[1], 0.0]))
        quaternion = _product(turn, upright)
        tip = self._mouth + self._hole @ np.array([offset[0], offset[1], self._height])
        position = tip - _rotation(quaternion) @ self._tip
        simulation = self._simulation
        simulation.reset()
        self._tip_target, self._quaternion = tip, quaternion
        simulation.apply(
            SetPose(self._part, position, quaternion),
            Grasp(self._hand, self._part, tip, quaternion),
            MoveHand(self._hand, tip, quaternion),
        )
        simulation.step()
        self._actions = 0
        self._ended = False
        state = simulation.state
        self._last_depth = float(state.goals[self._goal]["depth"])
        return self._observation(state), self._info(state)

    def step(self, action: ArrayLike) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Moves the hand; returns (observation, reward, terminated, truncated, info). Raises InputError for an action
        of another shape or with numbers that are not finite; numbers beyond ±1 count as ±1."""
        if self._ended:
            raise _tenon.SimulationError("the episode has ended; call reset()")
        limited = np.clip(np.array(vector("action", action, 6, "from -1 to 1")), -1, 1)
        start, turned = self._tip_target, self._quaternion
        move, turn = limited[:3] * self._max_move, limited[3:] * self._max_turn
        for k in range(1, self._steps + 1):
            fraction = k / self._steps
            self._tip_target = start + fraction * move
            self._quaternion = _product(_from_rotation_vector(fraction * turn), turned)
            self._simulation.apply(MoveHand(self._hand, self._tip_target, self._quaternion))
            self._simulation.step()
        self._actions += 1
        state = self._simulation.state
        info = self._info(state)
        reached = info["verdict"] in ("inserted", "tight", "started")
        lost = int(state.hands[self._hand]["part"]) != self._part or info["verdict"] == "stripped"
        gain = (info["depth"] - self._last_depth) / self._depth
        self._last_depth = info["depth"]
        reward = gain - self._force_cost * info["push"] + (1.0 if reached else 0.0)
        truncated = not (reached or lost) and self._actions >= self._max_actions
        self._ended = reached or lost or truncated
        return self._observation(state), reward, reached or lost, truncated, info

    def render(self) -> Optional[NDArray[np.uint8]]:
        """A picture of shape (480, 640, 3) with `render_mode="rgb_array"`, else None."""
        return self._simulation.render((640, 480)) if self.render_mode else None

    def close(self) -> None:
        """Frees the simulation."""
        self._ended = True
        self._simulation.close()

    def _disk(self, radius: float) -> Floats:
        """A random point in a disk."""
        angle, r = self._random.uniform(0, 2 * np.pi), radius * np.sqrt(self._random.uniform())
        return np.array([r * np.cos(angle), r * np.sin(angle)])

    def _observation(self, state: _tenon.State) -> Floats:
        part, hand = state.parts[self._part], state.hands[self._hand]
        rotation = _rotation(part["quaternion"])
        tip = part["position"] + rotation @ self._tip
        into_hole = self._hole.T
        return np.concatenate(
            [
                into_hole @ (tip - self._mouth),
                into_hole @ (rotation @ self._direction),
                into_hole @ part["velocity"],
                into_hole @ part["angular_velocity"],
                into_hole @ hand["force"],
                [float(state.goals[self._goal]["depth"])],
            ]
        )

    def _info(self, state: _tenon.State) -> dict[str, Any]:
        goal = state.goals[self._goal]
        return {
            "verdict": str(goal["verdict"]),
            "depth": float(goal["depth"]),
            "push": float(goal["push"]),
            "max_push": float(goal["max_push"]),
            "time": state.time,
        }
