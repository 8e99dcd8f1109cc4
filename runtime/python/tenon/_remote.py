"""Sessions of a server, `tenon serve`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _tenon
from ._arguments import PathLike, number, path, pose, solver_arguments, whole
from ._remote_study import RemoteStudy, plan_and_scene
from ._scene import Scene, load
from ._simulation import Simulation


class Hands:
    """Hands of a remote simulation that this client alone moves; make them with `RemoteSimulation.hands()`.

    A hand follows its newest sample, as in a headset: closing grasps, opening releases. At the end of the `with` the
    hands are untracked: they keep their targets and what they hold, and others may move them.
    """

    def __init__(self, scene: Scene, hands: _tenon.RemoteHands) -> None:
        self._scene = scene
        self._hands = hands
        self._closed: dict[int, bool] = {}

    def move(
        self,
        hand: str | int,
        position: ArrayLike,
        quaternion: Optional[ArrayLike] = None,
        *,
        closed: Optional[bool] = None,
        part: Optional[str | int] = None,
        grab_radius: float = 0.05,
        duration: float = 0.0,
    ) -> None:
        """Gives a sample: the hand's pose in the world, `position` (3) [m] and `quaternion` (4, w x y z; None: the
        world's axes).

        `closed`: squeezing; None: as before. `part`: the one to grasp when closing; None: the nearest within
        `grab_radius` [m]. `duration`: simulated time in which the target of a holding hand moves there [s], such as
        the interval between two samples. Raises SimulationError if the server has ended the stream.
        """
        index = self._scene._handle.hand_index(hand)
        self._closed[index] = self._closed.get(index, False) if closed is None else bool(closed)
        self._hands.move(
            index,
            pose("Hands.move", position, quaternion),
            self._closed[index],
            None if part is None else self._scene.part_index(part),
            number("grab_radius", grab_radius, 0),
            number("duration", duration, 0, 1),
        )

    def untrack(self, hand: str | int) -> None:
        """The hand is not seen: it keeps its target and what it holds."""
        index = self._scene._handle.hand_index(hand)
        self._hands.untrack(index, self._closed.get(index, False))

    def close(self) -> None:
        """Frees the hands."""
        self._hands.close()

    def __enter__(self) -> Hands:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


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

    def undo(self) -> None:
        """Restores the state before the last placement (from the first grasp until no hand holds a part), reset or
        change of dynamics, bit for bit. Raises SimulationError if there is none."""
        self._simulation.undo()

    def redo(self) -> None:
        """Restores the state before the last `undo()`."""
        self._simulation.redo()

    def set_solver(self, solver: str) -> None:
        """Changes the solver from the next step on; accuracy and options stay."""
        self._simulation.set_solver(solver)

    def set_rate(self, rate: float) -> None:
        """Changes the step rate [Hz]; the time is that of the nearest step."""
        self._simulation.set_rate(number("rate", rate))

    def watch(self, rate: float = 30.0) -> Iterator[_tenon.State]:
        """States at `rate` per second, 0.1 to 240, until the session ends: `for state in simulation.watch(60): …`.

        A slow reader misses states, and the newest comes next. Leave the loop to end the stream.
        """
        stream = self._simulation.watch(number("rate", rate, 0.1, 240))
        try:
            while (state := stream.next()) is not None:
                yield state
        finally:
            stream.close()

    def hands(self, hands: Iterable[str | int]) -> Hands:
        """Leases hands to this client: `with simulation.hands(["right"]) as hands: hands.move("right", …)`.

        `hands`: names or indices. Raises SimulationError if another client has one of them.
        """
        indices = [self._scene._handle.hand_index(hand) for hand in hands]
        return Hands(self._scene, self._simulation.hands(indices))

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

    def join(self, session: str) -> RemoteSimulation:
        """A session that another client has started, by id, with its scene. Closing it leaves the session running.

        Who may do what is decided by the roles of the clients; hands belong to one client at a time.
        """
        scene, simulation = self._server.join(session)
        return RemoteSimulation(Scene(scene), simulation)

    def close_session(self, session: str) -> bool:
        """Ends a session, by id, and completes its record; False: the record has only the steps saved before. For its
        owner and administrators."""
        return self._server.close_session(session)

    def study(self, plan: PathLike | Mapping[str, Any], *, threads: int = 1) -> RemoteStudy:
        """Starts a study on the server: `server.study("plan.json").wait()`.

        `plan`: a plan file, or its object; its scene is uploaded. `threads`: at most the processors of the server.
        Raises InputError for a plan that `tenon study` refuses, with its text.
        """
        text, scene = plan_and_scene(plan)
        studies = _tenon.RemoteStudies(self._server)
        return RemoteStudy(studies, studies.start(self.upload(scene), text, whole("threads", threads, 1, 1024)))

    def studies(self) -> list[RemoteStudy]:
        """The studies that the server has, those of earlier servers in its data folder included."""
        studies = _tenon.RemoteStudies(self._server)
        return [RemoteStudy(studies, study["id"]) for study in studies.list()]

    def sessions(self) -> list[dict[str, Any]]:
        """The server's sessions: id, scene, rate [Hz], solver, owner, record, running, and ended: why it ended."""
        return self._server.sessions()

    def records(self) -> list[dict[str, Any]]:
        """The server's records: id, bytes, and growing: whether the session runs."""
        return self._server.records()

    def scenes(self) -> list[dict[str, Any]]:
        """The scenes that the server has: id, name, title and bytes."""
        return self._server.scenes()

    def upload(self, scene: Scene | PathLike) -> str:
        """Stores a scene on the server, unless it has it; returns its id."""
        return self._server.upload((scene if isinstance(scene, Scene) else load(scene))._handle)

    def delete_scene(self, scene: str) -> None:
        """Removes a stored scene, by id; sessions that run it go on. For its owner and administrators."""
        self._server.delete_scene(scene)

    def check(self, scene: str, **parameters: float) -> dict[str, Any]:
        """What `tenon check --json` prints for a stored scene, by id, with these values of its parameters."""
        values = {name: number(name, value) for name, value in parameters.items()}
        return dict(json.loads(self._server.check(scene, values)))

    def thumbnail(self, scene: str, size: tuple[int, int] = (320, 240), view: str = "iso", **parameters: float) -> bytes:
        """A picture (PNG) of a stored scene, by id, at its start. `size`: width and height, 16 to 1024 pixels.

        Raises SimulationError if the server has no Vulkan device.
        """
        values = {name: number(name, value) for name, value in parameters.items()}
        width, height = (whole("size", pixels, 16, 1024) for pixels in size)
        return self._server.thumbnail(scene, values, (width, height), view)

    def report(self, record: str) -> bytes:
        """The HTML report of a record, as `tenon export --format html` writes it."""
        return self._server.report(record)

    def solve(
        self,
        problem: Mapping[str, Any],
        solver: str = "auto",
        *,
        solver_options: Optional[Mapping[str, Any]] = None,
        seed: int = 1,
    ) -> list[dict[str, Any]]:
        """Solves a complementarity problem, as `tenon solve --json`: one solution for each selected solver.

        `problem`: the object of a problem file: "A", "b", and optionally "joint", "mu" and "tolerance". `solver`: a
        name, or "all".
        """
        options = {name: str(value) for name, value in (solver_options or {}).items()}
        text = self._server.solve(json.dumps(problem), solver, options, whole("seed", seed, 1, 2**64 - 1))
        return list(json.loads(text))

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
