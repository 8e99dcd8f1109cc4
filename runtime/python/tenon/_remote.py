"""Sessions of a server, `tenon serve`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _tenon
from ._arguments import PathLike, number, path, solver_arguments, whole
from ._scene import Scene, load
from ._simulation import Simulation


class RemoteSimulation(Simulation):
    """A session of a server, with the interface of `Simulation`; make one with `Server.simulation()`.

    The same scene, settings and commands give the same bytes as `Simulation`. Other clients may use the session too:
    each property is requested when it is read. Errors of the server raise InputError for bad values, and
    SimulationError for all others: no connection, a role that is too low, a session that has ended.
    """

    _simulation: _tenon.RemoteSimulation

    def __init__(self, scene: Scene, simulation: _tenon.RemoteSimulation) -> None:
        self._scene = scene
        self._simulation = simulation

    def render(self, *arguments: Any, **options: Any) -> NDArray[np.uint8]:
        """Raises SimulationError: a server draws nothing."""
        raise _tenon.SimulationError("a simulation on a server is not rendered; load its record, and render that")

    @property
    def id(self) -> str:
        """The session's id, for other clients."""
        return self._simulation.id()

    @property
    def record(self) -> Optional[str]:
        """Id of the session's record, for `Server.download()`; None: it is not recorded."""
        return self._simulation.record() or None

    @property
    def playing(self) -> bool:
        """True while the session's steps follow the clock."""
        return self._simulation.is_playing()

    def play(self, speed: Optional[float] = None) -> None:
        """Lets steps follow the clock. `speed`: of simulated by real time, 0.01 to 1; None: as it is."""
        if speed is not None:
            self._simulation.set_speed(number("speed", speed, 0.01, 1))
        self._simulation.play(True)

    def pause(self) -> None:
        """Ends `play()`: `step()` computes steps again."""
        self._simulation.play(False)

    def __repr__(self) -> str:
        if self._simulation.is_closed():
            return f"<tenon.RemoteSimulation of {self._scene.name}, closed>"
        return f"<tenon.RemoteSimulation of {self._scene.name}: session {self.id}>"


class Server:
    """A connection to a server; make one with `tenon.connect()`."""

    def __init__(self, server: _tenon.RemoteServer) -> None:
        self._server = server

    @property
    def address(self) -> str:
        """The server's address."""
        return self._server.address

    @property
    def identity(self) -> dict[str, Any]:
        """Version, sources, compiler, processor, system and solvers of the server; the caller's role; its limits."""
        return self._server.identity()

    def simulation(
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
        record: bool = False,
    ) -> RemoteSimulation:
        """Starts a session, and uploads its scene unless the server has it. Arguments as those of `Simulation`.

        `record`: the server records the session, see `RemoteSimulation.record`. Close the session when it is no longer
        needed: `with server.simulation("x.json") as simulation: …`
        """
        loaded = scene if isinstance(scene, Scene) else load(scene)
        session = self._server.simulate(
            loaded._handle,
            solver=solver_arguments(solver, accuracy, solver_options),
            rate=None if rate is None else number("--rate", rate),
            seed=whole("--seed", seed, 0, 2**64 - 1),
            threads=whole("--threads", threads, 1, 64),
            scripted=bool(scripted),
            record=bool(record),
        )
        return RemoteSimulation(loaded, session)

    def sessions(self) -> list[dict[str, Any]]:
        """The server's sessions: id, scene, rate [Hz], solver, owner, record, running, and ended: why it ended."""
        return self._server.sessions()

    def records(self) -> list[dict[str, Any]]:
        """The server's records: id, bytes, and growing: whether the session runs."""
        return self._server.records()

    def download(self, record: str, file: PathLike, *, force: bool = False) -> None:
        """Writes a record to a file, for `tenon.open()`; of a session that runs, with the steps saved so far."""
        self._server.download(record, path("file", file), bool(force))

    def delete_record(self, record: str) -> None:
        """Removes a record from the server; its session must have ended. For its owner and administrators."""
        self._server.delete_record(record)

    def verify(self, record: str) -> bool:
        """True if the server's program reproduces every state of a record, bit for bit."""
        return self._server.verify(record)[0]

    def __repr__(self) -> str:
        return f"<tenon.Server at {self.address}: tenon {self.identity['version']}>"


def connect(
    address: str,
    *,
    token: str = "",
    authority: PathLike = "",
    certificate: PathLike = "",
    key: PathLike = "",
) -> Server:
    """Connects to a server: `tenon.connect("unix:/run/tenon.sock")`, `tenon.connect("127.0.0.1:7171")`.

    `token`: of this client, where the server has tokens. `authority`: PEM file of the authority that signed the
    server's certificate; empty: the system's for other machines, and no encryption for this machine. `certificate`,
    `key`: PEM files of this client's own certificate, where the server requires one. Raises InputError for a text
    that is no address, and SimulationError if no server answers or it refuses the token.
    """
    return Server(
        _tenon.connect(
            address, token, path("authority", authority), path("certificate", certificate), path("key", key)
        )
    )
