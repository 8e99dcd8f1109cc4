"""Studies of a server: see `Server.study()`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _tenon
from ._arguments import PathLike, path


def plan_and_scene(plan: PathLike | Mapping[str, Any]) -> tuple[str, str]:
    """The text of a plan, and the path of its scene: relative to the plan's file, or to the working folder."""
    folder = Path()
    if isinstance(plan, Mapping):
        text = json.dumps(dict(plan))
    else:
        file = Path(path("plan", plan))
        folder = file.parent
        try:
            text = file.read_text(encoding="utf-8")
        except OSError as error:
            raise _tenon.InputError(f"{file}: cannot be read ({error.strerror}); name a plan file") from error
    try:
        scene = json.loads(text)["scene"]
    except (ValueError, TypeError, KeyError) as error:
        raise _tenon.InputError("plan: names no scene; write a JSON object with \"scene\"") from error
    return text, str(folder / str(scene))


class RemoteStudy:
    """A study of a server, which goes on when this client leaves. Get one with `Server.study()` or `Server.studies()`."""

    def __init__(self, studies: _tenon.RemoteStudies, id: str) -> None:
        self._studies = studies
        self._id = id

    @property
    def id(self) -> str:
        """The study's id, for other clients."""
        return self._id

    @property
    def progress(self) -> dict[str, Any]:
        """The study now: id, scene, owner, running, ended, cases, done, successes, yield, yield_interval (95 %), rate
        [cases/s], time_left [s]."""
        progress = self._studies.watch(self._id).next()
        if progress is None:
            raise _tenon.SimulationError(f"the study {self._id} has gone")
        return progress

    def watch(self) -> Iterator[dict[str, Any]]:
        """`progress` whenever it changes, until the study ends: `for progress in study.watch(): …`"""
        stream = self._studies.watch(self._id)
        while (progress := stream.next()) is not None:
            yield progress

    def wait(self) -> dict[str, Any]:
        """Waits for the end; returns the last `progress`."""
        progress: dict[str, Any] = {}
        for progress in self.watch():
            pass
        return progress

    def stop(self) -> None:
        """Ends it between two cases; what is computed stays."""
        self._studies.stop(self._id)

    def resume(self) -> None:
        """Computes the cases that are missing."""
        self._studies.resume(self._id)

    def results(self, format: str = "csv") -> bytes:
        """What `tenon study report` writes: "html", "csv" or "json"; "study": the results file."""
        return self._studies.results(self._id, format)

    def delete(self) -> None:
        """Removes the study from the server; it must not run. For its owner and administrators."""
        self._studies.delete(self._id)

    def __repr__(self) -> str:
        return f"<tenon.RemoteStudy {self._id}>"
