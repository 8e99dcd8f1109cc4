"""Recorded sessions: tables and verification."""

from __future__ import annotations

import importlib
from types import TracebackType
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _tenon
from ._arguments import PathLike, path
from ._fields import html_table
from ._scene import Scene


class Verification:
    """The outcome of `Session.verify()`; true if every state was reproduced bit for bit.

    `steps`: compared steps. `first_different`: first step with another state, or None. `obstacle`: why this program
    cannot reproduce the session, so that only its hashes were checked ("": it can). `text`: all of it in words.
    """

    def __init__(self, outcome: dict[str, Any]) -> None:
        self.verified: bool = outcome["verified"]
        self.steps: int = outcome["steps"]
        self.first_different: Optional[int] = outcome["first_different"]
        self.obstacle: str = outcome["obstacle"]
        self.text: str = outcome["text"].rstrip("\n")

    def __bool__(self) -> bool:
        return self.verified

    def __repr__(self) -> str:
        return f"<tenon.Verification: {self.text}>"


class Session:
    """A recorded session, open for reading. Make one with `tenon.open()`; use it in a `with` statement or close it."""

    def __init__(self, handle: _tenon.Session) -> None:
        self._handle = handle

    @property
    def file(self) -> str:
        """The session file."""
        return self._handle.file

    @property
    def scene_file(self) -> str:
        """The scene file that it was recorded from."""
        return self._handle.scene_file

    @property
    def scene(self) -> Scene:
        """The recorded scene, from the session alone."""
        return Scene(self._handle.scene())

    @property
    def solver(self) -> str:
        """The solver at the start."""
        return self._handle.solver

    @property
    def rate(self) -> float:
        """Step rate at the start [Hz]."""
        return self._handle.rate

    @property
    def started(self) -> str:
        """When the recording began, ISO 8601, UTC."""
        return self._handle.started

    @property
    def steps(self) -> int:
        """Recorded steps."""
        return self._handle.steps

    @property
    def duration(self) -> float:
        """Length of the session [s]."""
        return self._handle.duration

    @property
    def ending(self) -> Optional[str]:
        """How it ended ("done", "interrupted", …); None: the record is cut off."""
        return self._handle.ending

    @property
    def parts(self) -> list[str]:
        """Names of the parts, by index."""
        return self._handle.parts

    @property
    def hands(self) -> list[str]:
        """Names of the hands, by index."""
        return self._handle.hands

    @property
    def goals(self) -> list[dict[str, Any]]:
        """Last recorded state of each goal: name, verdict, depth_m, target_depth_m, tilt_rad, max_push_n."""
        return self._handle.goals()

    @property
    def tables(self) -> list[str]:
        """Names of the tables; `runtime/record/format.md` of the sources defines them."""
        return self._handle.tables()

    def table(self, name: str) -> NDArray[np.void]:
        """A table as a structured array of shape (rows,); units are in the names of columns.

        Numbers are int64 where all rows have whole ones, else float64 with NaN for a missing one; texts are Unicode,
        empty for a missing one.
        """
        columns = [(column, np.asarray(values)) for column, values in self._handle.table(name)]
        columns = [(column, v.astype("U1") if v.size == 0 and v.dtype.kind != "f" else v) for column, v in columns]
        rows = len(columns[0][1])
        array = np.empty(rows, dtype=[(column, values.dtype) for column, values in columns])
        for column, values in columns:
            array[column] = values
        return array

    def __getitem__(self, name: str) -> NDArray[np.void]:
        """The same as `table(name)`."""
        return self.table(name)

    def frame(self, name: str) -> Any:
        """A table as a pandas DataFrame. Raises MissingComponent where pandas is not installed."""
        try:
            pandas = importlib.import_module("pandas")
        except ImportError:
            raise _tenon.MissingComponent(
                "pandas is not installed; apt-get install python3-pandas, or use table()"
            ) from None
        table = self.table(name)
        return pandas.DataFrame({column: table[column] for column in table.dtype.names or ()})

    def verify(self) -> Verification:
        """Simulates the session again from its recorded inputs and compares every state bit for bit, as `tenon replay
        --verify` does."""
        return Verification(self._handle.verify())

    def close(self) -> None:
        """Closes the file; later calls raise ValueError. Arrays stay valid."""
        self._handle.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle.is_closed():
            return "<tenon.Session, closed>"
        return f"<tenon.Session {self.file}: {self.steps} steps, {self.duration:g} s, ended: {self.ending or 'cut off'}>"

    def _repr_html_(self) -> str:
        rows = [
            [str(g["name"]), str(g["verdict"]), f"{g['depth_m'] * 1e3:.3f}", f"{g['max_push_n']:.3f}"]
            for g in self.goals
        ]
        return html_table(["goal", "verdict", "depth [mm]", "peak push [N]"], rows)


def open(file: PathLike) -> Session:
    """Opens a session that `tenon run --record` or `tenon.run(record=...)` wrote. Raises InputError for a file that is
    missing, damaged, or no session."""
    return Session(_tenon.Session(path("file", file)))
