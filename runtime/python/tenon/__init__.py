"""Tenon in Python: simulates the manual assembly of parts with exact contact.

    import tenon

    scene = tenon.load("bolt-in-plate.json", hole_diameter_mm=8.4)
    result = tenon.run(scene)
    print(result.goals[0]["verdict"], result.state_hash)

Scenes, results and sessions are those of the program `tenon`: the same checks, fields, units and state hashes. Names
of fields that end in a unit (`depth_m`, `position_mm`) have it; all other quantities are in SI units: meters, seconds,
radians, newtons, kilograms. Poses are of a part's own frame in the world, z up; quaternions are `(w, x, y, z)` from
the part's axes to the world's.

Bad data raises `InputError` (a `ValueError`) with the text of the command line. Long calls release Python's global
lock; `run`, `run_many`, `step` and `verify` end with `KeyboardInterrupt` at Ctrl-C.
"""

from __future__ import annotations

try:
    from . import _tenon as _extension  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"tenon's extension module cannot be loaded ({error}): in a build folder, build it with "
        "`cmake --build build/release --target tenon_python`, and use the Python it was built for, /usr/bin/python3"
    ) from error

from ._commands import (
    Command,
    Grasp,
    MoveHand,
    Release,
    Reset,
    SetDynamics,
    SetPose,
    SetThruster,
)
from ._scene import Check, Scene, load
from ._remote import Hands, RemoteSimulation, Server, connect
from ._remote_study import RemoteStudy
from ._run import Result, run, run_many
from ._session import Session, Verification, open
from ._simulation import Simulation
from ._tenon import InputError, MissingComponent, SimulationError, Snapshot, State, __version__
from . import envs, study

__all__ = [
    "Check",
    "Command",
    "Grasp",
    "Hands",
    "InputError",
    "MissingComponent",
    "MoveHand",
    "Release",
    "RemoteSimulation",
    "RemoteStudy",
    "Reset",
    "Result",
    "Scene",
    "Server",
    "Session",
    "SetDynamics",
    "SetPose",
    "SetThruster",
    "Simulation",
    "SimulationError",
    "Snapshot",
    "State",
    "Verification",
    "__version__",
    "connect",
    "envs",
    "load",
    "open",
    "run",
    "run_many",
    "study",
]
