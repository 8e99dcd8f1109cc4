"""A scene that the caller steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Optional, cast

import numpy as np
from numpy.typing import NDArray

from . import _tenon
from ._arguments import PathLike, number, solver_arguments, whole
from ._commands import COMMANDS, Command
from ._scene import Scene, load

MAX_STEPS = 2**40


class Simulation:
    """Steps a scene; commands in, states out.

    Hands follow their scripts until the first command for them (MoveHand, Grasp, Release); from then on they follow
    commands alone. `scripted=False`: no hand follows its script. Without commands, the states are those of
    `tenon.run()`, bit for bit.

    One thread at a time may use it: another one gets a SimulationError while steps are computed. Arrays of a state
    stay valid and constant, also after the simulation is closed.
    """

    def __init__(
        self,
        scene: Scene | PathLike,
        *,
        solver: str = "auto",
        accuracy: str = "exact",
        solver_options: Optional[Mapping[str, Any]] = None,
        rate: Optional[float] = None,
        seed: int = 0,
        threads: int = 1,
        scripted: bool = True,
    ) -> None:
        """Arguments as those of `tenon.run()`. Raises InputError for bad input."""
        self._scene = scene if isinstance(scene, Scene) else load(scene)
        self._simulation: _tenon.Simulation | _tenon.RemoteSimulation = _tenon.Simulation(
            self._scene._handle,
            solver=solver_arguments(solver, accuracy, solver_options),
            rate=None if rate is None else number("--rate", rate),
            seed=whole("--seed", seed, 0, 2**64 - 1),
            threads=whole("--threads", threads, 1, 64),
            scripted=bool(scripted),
        )

    @property
    def scene(self) -> Scene:
        """The scene."""
        return self._scene

    @property
    def dt(self) -> float:
        """Time step [s]."""
        return self._simulation.dt()

    @property
    def time(self) -> float:
        """Simulated time since the start [s]."""
        return self._simulation.time()

    @property
    def steps(self) -> int:
        """Steps since the start."""
        return self._simulation.steps()

    @property
    def state(self) -> _tenon.State:
        """The state after the last step: a value that later steps do not change."""
        return self._simulation.state()

    @property
    def state_hash(self) -> str:
        """Hash of all body states, 16 hexadecimal digits, as `state_hash` of results."""
        return self._simulation.state_hash()

    def step(self, n: int = 1) -> None:
        """Computes `n` steps without Python's global lock; commands act in the first one.

        Raises SimulationError if the motion of a part is not finite. Ctrl-C ends it between two steps.
        """
        self._simulation.step(n if type(n) is int and 0 < n < MAX_STEPS else whole("n", n, 1, MAX_STEPS))

    def apply(self, *commands: Command) -> None:
        """Gives commands for the next step, in this order; see `tenon.MoveHand` and the others.

        Raises InputError for names that are not in the scene, wrong shapes, and numbers that are not finite or out of
        range; commands before the bad one stay given.
        """
        for command in commands:
            if not isinstance(command, COMMANDS):
                names = ", ".join(kind.__name__ for kind in COMMANDS)
                raise TypeError(f"{command!r} is not a command; use {names}")
            command._apply(self._scene, self._simulation)

    def reset(self) -> None:
        """Restores the start; the same as `apply(tenon.Reset())`."""
        self._simulation.reset()

    def hand_target(self, hand: str | int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The last target of a hand: position (3) [m] and quaternion (4, w x y z), in the world."""
        numbers = np.array(self._simulation.hand_target(self._scene._handle.hand_index(hand)))
        return numbers[:3], numbers[3:]

    def snapshot(self) -> _tenon.Snapshot:
        """The present state as a value, for `restore()`. Commands that wait for the next step are not part of it."""
        return self._simulation.snapshot()

    def restore(self, snapshot: _tenon.Snapshot) -> None:
        """Restores a snapshot of a simulation of the same Scene: the steps after it are the same, bit for bit."""
        self._simulation.restore(snapshot)

    def render(
        self,
        size: tuple[int, int] = (1280, 720),
        view: str = "iso",
        *,
        forces: bool = False,
        section: Optional[str] = None,
        xray: Sequence[str] = (),
    ) -> NDArray[np.uint8]:
        """A picture of the present state by the renderer of `tenon render`, of shape (height, width, 3), sRGB.

        `size`: (width, height) in pixels. `view`: a direction ("iso", "front", "top", …) or the name of a part.
        `forces`: arrows of contact and hand forces. `section`: "AXIS=OFFSET" in millimeters. `xray`: transparent
        parts. Raises MissingComponent without a Vulkan device.
        """
        width, height = whole("size[0]", size[0], 1, 65536), whole("size[1]", size[1], 1, 65536)
        local = cast(_tenon.Simulation, self._simulation)  # RemoteSimulation has a render() of its own
        return local.render((width, height), view, bool(forces), section, list(xray))

    def close(self) -> None:
        """Frees the simulation; later calls raise SimulationError. States and snapshots stay valid."""
        self._simulation.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._simulation.is_closed():
            return f"<tenon.Simulation of {self._scene.name}, closed>"
        return f"<tenon.Simulation of {self._scene.name}>"
