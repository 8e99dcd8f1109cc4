"""Commands: all inputs of a running simulation, a closed list. Each acts at the start of the next step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from numpy.typing import ArrayLike

from . import _tenon
from ._arguments import number, pose, vector
from ._scene import Scene


@dataclass(frozen=True)
class MoveHand:
    """Moves a hand's target to a pose, which it has at the end of the next step.

    The hand's spring pulls what it holds there; its velocity is that from the last target to this one.
    `hand`: name or index. `position` (3) [m] and `quaternion` (4, w x y z, unit; None: the world's axes): in the world.
    """

    hand: str | int
    position: ArrayLike
    quaternion: Optional[ArrayLike] = None

    def _apply(self, scene: Scene, simulation: _tenon.Simulation | _tenon.RemoteSimulation) -> None:
        target = pose("MoveHand", self.position, self.quaternion)
        simulation.move_hand(scene._handle.hand_index(self.hand), target)


@dataclass(frozen=True)
class Grasp:
    """Closes a hand on a dynamic part, wherever the part is; the part keeps its pose relative to the hand.

    `hand`, `part`: names or indices. `position` (3) [m] and `quaternion` (4, w x y z): pose of the hand when it
    closes, whose origin is the grasped point; None: the hand's last target.
    """

    hand: str | int
    part: str | int
    position: Optional[ArrayLike] = None
    quaternion: Optional[ArrayLike] = None

    def _apply(self, scene: Scene, simulation: _tenon.Simulation | _tenon.RemoteSimulation) -> None:
        if self.position is None and self.quaternion is not None:
            raise _tenon.InputError("Grasp.position: is missing; give it with the quaternion")
        closed = None if self.position is None else pose("Grasp", self.position, self.quaternion)
        simulation.grasp(scene._handle.hand_index(self.hand), scene.part_index(self.part), closed)


@dataclass(frozen=True)
class Release:
    """Opens a hand; its part keeps its velocity. `hand`: name or index."""

    hand: str | int

    def _apply(self, scene: Scene, simulation: _tenon.Simulation | _tenon.RemoteSimulation) -> None:
        simulation.release(scene._handle.hand_index(self.hand))


@dataclass(frozen=True)
class SetPose:
    """Places a dynamic part without joints at rest. The caller ensures that it overlaps nothing there.

    `part`: name or index. `position` (3) [m] and `quaternion` (4, w x y z; None: the world's axes): of its own frame.
    """

    part: str | int
    position: ArrayLike
    quaternion: Optional[ArrayLike] = None

    def _apply(self, scene: Scene, simulation: _tenon.Simulation | _tenon.RemoteSimulation) -> None:
        placed = pose("SetPose", self.position, self.quaternion)
        simulation.set_pose(scene.part_index(self.part), placed)


@dataclass(frozen=True)
class Reset:
    """Restores the start immediately: time 0, hands empty and again on their scripts; drops commands given before."""

    def _apply(self, scene: Scene, simulation: _tenon.Simulation | _tenon.RemoteSimulation) -> None:
        simulation.reset()


@dataclass(frozen=True)
class SetDynamics:
    """Replaces gravity (3) [m/s²], damping of linear and angular velocity [1/s] or the restitution of all pairs
    (0 to 1) from the next step on; None keeps the present value."""

    gravity: Optional[ArrayLike] = None
    linear_damping: Optional[float] = None
    angular_damping: Optional[float] = None
    restitution: Optional[float] = None

    def _apply(self, scene: Scene, simulation: _tenon.Simulation | _tenon.RemoteSimulation) -> None:
        gravity = None if self.gravity is None else vector("SetDynamics.gravity", self.gravity, 3, "[m/s²]")

        def checked(name: str, value: Optional[float], maximum: float = float("inf")) -> Optional[float]:
            return None if value is None else number(f"SetDynamics.{name}", value, 0, maximum)

        simulation.set_dynamics(
            gravity,
            checked("linear_damping", self.linear_damping),
            checked("angular_damping", self.angular_damping),
            checked("restitution", self.restitution, 1),
        )


@dataclass(frozen=True)
class SetThruster:
    """Sets a thruster's force from the next step on. `thruster`: name or index. `level`: 0 (off) to 1."""

    thruster: str | int
    level: float

    def _apply(self, scene: Scene, simulation: _tenon.Simulation | _tenon.RemoteSimulation) -> None:
        level = number("SetThruster.level", self.level, 0, 1)
        simulation.set_thruster(scene._handle.thruster_index(self.thruster), level)


Command = Union[MoveHand, Grasp, Release, SetPose, Reset, SetDynamics, SetThruster]
COMMANDS = (MoveHand, Grasp, Release, SetPose, Reset, SetDynamics, SetThruster)
