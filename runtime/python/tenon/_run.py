"""Runs of scenes with their scripted hands: one, or many on several threads."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional, Union

from . import _tenon
from ._arguments import PathLike, number, path, solver_arguments, whole
from ._fields import Fields, html_table
from ._scene import Scene, load

Case = Union[Scene, PathLike, Mapping[str, Any]]


class Result(Fields):
    """What `tenon run --json` prints, with the same names and units; see `runtime/manual.md` of the sources.

    `exit_code`: that of the command: 0 every goal reached, 1 not every goal. `problem`: why the run ended early
    ("": it did not).
    """

    def __init__(self, text: str, exit_code: int = 0, problem: str = "") -> None:
        super().__init__(text)
        self.exit_code = exit_code
        self.problem = problem

    @property
    def reached(self) -> bool:
        """True if every goal is reached."""
        return self.exit_code == 0

    def _rows(self) -> list[list[str]]:
        return [
            [
                f"{goal['part']} into {goal['into']}/{goal['hole']}",
                str(goal["verdict"]),
                f"{goal['depth_m'] * 1e3:.3f}",
                f"{goal['max_push_n']:.3f}",
                f"{goal['time_s']:.3f}",
            ]
            for goal in self["goals"]
        ]

    def __repr__(self) -> str:
        goals = "; ".join(f"{row[0]}: {row[1]}, {row[2]} mm" for row in self._rows())
        return f"<tenon.Result {self['scene']}: {goals or 'no goals'}; {self['simulated_s']:g} s>"

    def _repr_html_(self) -> str:
        return html_table(["goal", "verdict", "depth [mm]", "peak push [N]", "time [s]"], self._rows())


def _scene(scene: Scene | PathLike) -> Scene:
    return scene if isinstance(scene, Scene) else load(scene)


def _run(
    scene: Scene | PathLike,
    stop: Optional[_tenon.StopFlag],
    solver: str = "auto",
    accuracy: str = "exact",
    solver_options: Optional[Mapping[str, Any]] = None,
    rate: Optional[float] = None,
    duration: Optional[float] = None,
    record: Optional[PathLike] = None,
    report: Optional[PathLike] = None,
    force: bool = False,
    seed: int = 0,
    threads: int = 1,
) -> Result:
    outcome = _tenon.run(
        _scene(scene)._handle,
        solver=solver_arguments(solver, accuracy, solver_options),
        rate=None if rate is None else number("--rate", rate),
        duration=None if duration is None else number("--duration", duration),
        record=None if record is None else path("--record", record),
        report=None if report is None else path("--report", report),
        force=bool(force),
        seed=whole("--seed", seed, 0, 2**64 - 1),
        threads=whole("--threads", threads, 1, 64),
        stop=stop,
    )
    if not outcome["record_complete"]:
        lost = [text for text in outcome["messages"] if not text.startswith("warning: ")]
        warnings.warn(" ".join(lost) or "the record is incomplete", RuntimeWarning, stacklevel=3)
    return Result(outcome["json"], outcome["exit_code"], outcome["problem"])


def run(
    scene: Scene | PathLike,
    *,
    solver: str = "auto",
    accuracy: str = "exact",
    solver_options: Optional[Mapping[str, Any]] = None,
    rate: Optional[float] = None,
    duration: Optional[float] = None,
    record: Optional[PathLike] = None,
    report: Optional[PathLike] = None,
    force: bool = False,
    seed: int = 0,
    threads: int = 1,
) -> Result:
    """Simulates a scene with its scripted hands, as `tenon run` does: the same steps, the same state hash.

    `scene`: a Scene or a scene file. `solver`, `accuracy`, `solver_options` (`{"sweeps": 10}`): of the contact
    problems. `rate` [Hz] and `duration` [s]: None is the scene's. `record`: session file to write; `report`: Markdown
    file to write; neither overwrites a file without `force`. `seed`: of random policies. `threads`: for independent
    groups of parts; changes no bit.

    Raises InputError for bad input, before the first step. Ctrl-C raises KeyboardInterrupt, after the files are
    finished. If the motion of a part is not finite, the run ends there: see `problem` of the result.
    """
    return _run(
        scene, None, solver, accuracy, solver_options, rate, duration, record, report, force, seed, threads
    )


def run_many(cases: Iterable[Case], threads: Optional[int] = None) -> list[Result]:
    """Runs many cases and returns their results in the order of the cases.

    A case is a Scene, a scene file, or a dictionary of the arguments of `run()`: `{"scene": "x.json", "parameters":
    {"clearance_um": 20}, "rate": 2000}`; `parameters` are those of a scene file. `threads`: how many cases run at the
    same time; None: one per processor. The results do not depend on it.

    Every scene is loaded before the first run. Raises the error of the first case, in their order, that fails, with
    its index; the others end early, as they do at Ctrl-C.
    """
    count = whole("threads", threads if threads is not None else os.cpu_count() or 1, 1, 1024)
    return _Batch([_prepared(index, case) for index, case in enumerate(cases)]).run(count)


class _Batch:
    """Cases and the threads that run them. Not concurrent.futures: an interrupt while it starts a thread leaves that
    thread running, and a record of its case unfinished."""

    def __init__(self, cases: list[dict[str, Any]]) -> None:
        self._cases = cases
        self._outcomes: list[Result | BaseException | None] = [None] * len(cases)
        self._stop = _tenon.StopFlag()
        self._changed = threading.Condition()
        self._next = 0  # of the cases, the first that no thread has taken
        self._active = 0  # cases that run
        self._ended = False

    def run(self, count: int) -> list[Result]:
        """The results in the order of the cases, or the first error; all runs have then ended."""
        try:
            for _ in range(min(count, len(self._cases))):
                threading.Thread(target=self._work, daemon=True).start()
            return [self._result(index) for index in range(len(self._cases))]
        finally:
            with self._changed:
                self._ended = True
            self._stop.set()
            self._wait_until(lambda: self._active == 0)

    def _wait_until(self, condition: Callable[[], bool]) -> None:
        # With a limit: a Ctrl-C just before a wait is noticed after it.
        with self._changed:
            while not self._changed.wait_for(condition, 0.1):
                pass

    def _result(self, index: int) -> Result:
        self._wait_until(lambda: self._outcomes[index] is not None)
        outcome = self._outcomes[index]
        if isinstance(outcome, Result):
            return outcome
        assert outcome is not None
        if isinstance(outcome, _tenon.InputError):
            raise _tenon.InputError(f"case {index}: {outcome}") from outcome
        raise outcome

    def _work(self) -> None:
        while True:
            with self._changed:
                if self._ended or self._next == len(self._cases):
                    return
                index = self._next
                self._next += 1
                self._active += 1
            outcome: Result | BaseException
            try:
                outcome = _run(stop=self._stop, **self._cases[index])
            except BaseException as error:  # for the thread that waits
                outcome = error
            with self._changed:
                self._outcomes[index] = outcome
                self._active -= 1
                self._changed.notify_all()


def _prepared(index: int, case: Case) -> dict[str, Any]:
    """A case as arguments of _run(), with its scene loaded."""
    try:
        if not isinstance(case, Mapping):
            return {"scene": _scene(case)}
        arguments = dict(case)
        if "scene" not in arguments:
            raise _tenon.InputError("scene: is missing; add the scene to the case")
        allowed = {"scene", "parameters", "solver", "accuracy", "solver_options", "rate", "duration"} | {
            "record",
            "report",
            "force",
            "seed",
            "threads",
        }
        unknown = sorted(set(arguments) - allowed)
        if unknown:
            raise _tenon.InputError(
                f"{unknown[0]}: is not an argument of run(); use {', '.join(sorted(allowed))}"
            )
        parameters = arguments.pop("parameters", None)
        scene = arguments["scene"]
        if parameters and isinstance(scene, Scene):
            raise _tenon.InputError("parameters: need a scene file; load the scene with its parameters instead")
        arguments["scene"] = load(scene, dict(parameters)) if parameters else _scene(scene)
        return arguments
    except _tenon.InputError as error:
        raise _tenon.InputError(f"case {index}: {error}") from None
