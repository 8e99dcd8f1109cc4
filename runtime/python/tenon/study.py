"""Studies: many runs of one scene over variables, on this machine's cores or on a cluster of Dask.

    results = tenon.study.run("content/studies/insertion-yield.json", out="yield.study")
    print(results.summary["yield"], results.cases["peak_push_n"].max())

With `client=dask.distributed.Client(...)` the same plan runs on the client's workers, which need the package tenon and
none of its files; the results are the same, byte for byte. `runtime/study/README.md` of the sources describes plans.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _tenon
from ._arguments import PathLike, path, whole
from ._fields import html_table
from ._remote_study import plan_and_scene

MAX_SHARDS = 100_000
SHARDS_PER_THREAD = 4  # a thread that ends early takes another one
RETRIES = 10  # of a shard whose worker has died

Progress = Callable[[dict[str, Any]], object]


class Results:
    """The results file of a study. Get one from `run()` or `open()`."""

    def __init__(self, handle: _tenon.StudyResults) -> None:
        self._handle = handle

    @property
    def file(self) -> str:
        """The results file, for `tenon study report` and `tenon study repeat`."""
        return self._handle.file

    @property
    def plan(self) -> dict[str, Any]:
        """The plan."""
        plan: dict[str, Any] = json.loads(self._handle.plan)
        return plan

    @property
    def summary(self) -> dict[str, Any]:
        """cases, successes, yield, yield_interval (95 %, Wilson), verdicts and causes with their counts."""
        return self._handle.summary()

    @property
    def cases(self) -> NDArray[np.void]:
        """One row a case, as a structured array of shape (cases,): case, the variables by their names, success, verdict,
        cause, peak_push_n, depth_m, tilt_rad, time_s, clearance_m, and the plan's outputs.

        An output is a number, NaN where it is missing, or, where some case has another kind of value, its JSON text.
        """
        outputs = {output["name"] for output in self.plan.get("outputs", [])}
        columns: dict[str, NDArray[Any]] = {}
        for name, values in self._handle.table():
            column = _output(values) if name in outputs else np.asarray(values, dtype=bool if name == "success" else None)
            if column.size == 0 and column.dtype.kind == "f" and name in ("verdict", "cause"):
                column = column.astype("U1")
            while name in columns:  # a variable with the name of a result
                name += " (result)"
            columns[name] = column
        array = np.empty(len(columns["case"]), dtype=[(name, column.dtype) for name, column in columns.items()])
        for name, column in columns.items():
            array[name] = column
        return array

    def report(self, format: str = "html") -> bytes:
        """What `tenon study report` writes: "html", "csv" or "json"."""
        if format not in ("html", "csv", "json"):
            raise _tenon.InputError(f"format: {format!r}: is unknown; choose html, csv or json")
        return self._handle.report(format)

    def __repr__(self) -> str:
        summary = self.summary
        low, high = summary["yield_interval"]
        return (
            f"<tenon.study.Results {self.file}: {summary['cases']} of {self._handle.count} cases, "
            f"yield {summary['yield']:.2%} ({low:.2%} to {high:.2%})>"
        )

    def _repr_html_(self) -> str:
        summary = self.summary
        rows = [[verdict, str(count)] for verdict, count in summary["verdicts"].items()]
        rows += [[f"cause: {cause}", str(count)] for cause, count in summary["causes"].items()]
        return html_table(["verdict", "cases"], rows)


def _output(texts: list[str]) -> NDArray[Any]:
    values = [json.loads(text) for text in texts]
    if all(value is None or type(value) in (int, float) for value in values):
        return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
    return np.array(texts)


def open(file: PathLike) -> Results:
    """Opens a results file. Raises InputError for a file that is missing, damaged, or none of a study."""
    return Results(_tenon.StudyResults(path("file", file)))


def run(
    plan: PathLike | Mapping[str, Any],
    client: Optional[Any] = None,
    *,
    out: PathLike,
    threads: int = 0,
    shards: Optional[int] = None,
    progress: Optional[Progress] = None,
) -> Results:
    """Runs the cases of a plan into the results file `out`; stopped or killed, the same call goes on.

    `plan`: a plan file, or its content as a dictionary, whose scene is then relative to the working folder. Without
    `client`: on `threads` threads of this process (0: one per processor). `progress` is called a few times a second with
    a dictionary: cases, done, successes, yield, yield_interval, rate [cases/s], time_left [s].

    With `client`, a dask.distributed.Client: in `shards` tasks (None: four per thread of its workers), each on one
    thread. Finished tasks are kept in the folder `OUT.parts` until all of them are joined in `out`, which must not exist
    before. The task of a worker that dies runs again on another one. `progress` is called after each task: cases, done.

    Raises InputError for a bad plan, and for results of another plan. Ctrl-C raises KeyboardInterrupt between two cases
    or tasks; what is computed stays.
    """
    text, _ = plan_and_scene(plan)
    # Absolute: a worker's folder is another one.
    name = os.path.abspath("plan" if isinstance(plan, Mapping) else path("plan", plan))
    study = _tenon.Study.load(text, name)
    file = path("out", out)
    if client is None:
        if shards is not None:
            raise _tenon.InputError("shards: is given without a client; leave it out, or give a client of Dask")
        study.run(file, whole("threads", threads, 0, 1024), (0, 1), progress)
        return open(file)
    _distribute(study, client, Path(file), shards, progress)
    return open(file)


def _distribute(
    study: _tenon.Study, client: Any, out: Path, shards: Optional[int], progress: Optional[Progress]
) -> None:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise _tenon.MissingComponent("Dask is not installed; apt-get install python3-distributed") from None
    if not isinstance(client, distributed.Client):
        raise TypeError(f"client: {client!r} is not a dask.distributed.Client")
    if out.exists():
        raise _tenon.InputError(f"out: {out}: exists; open it with tenon.study.open(), or name another file")
    folder = Path(f"{out}.parts")
    count = _shard_count(client, folder, shards)
    folder.mkdir(exist_ok=True)
    parts = [folder / f"{index + 1}-of-{count}.study" for index in range(count)]
    missing = [index for index in range(count) if not parts[index].exists()]
    for index in set(range(count)) - set(missing):
        study.require_same(str(parts[index]), (index, count))
    content = study.content()
    futures = {
        client.submit(_shard, content, index, count, pure=False, retries=RETRIES): index for index in missing
    }
    done = sum(_cases_of(study.count, index, count) for index in range(count) if index not in missing)
    try:
        for future in distributed.as_completed(futures):
            index = futures[future]
            unfinished = parts[index].with_suffix(".unfinished")
            unfinished.write_bytes(_bytes_of(future))
            os.replace(unfinished, parts[index])
            done += _cases_of(study.count, index, count)
            if progress is not None:
                progress({"cases": study.count, "done": done})
    except BaseException:
        client.cancel(list(futures))
        raise
    joined = folder / "joined.study"
    joined.unlink(missing_ok=True)
    _tenon.merge_studies([str(part) for part in parts], str(joined))
    os.replace(joined, out)
    shutil.rmtree(folder)


def _bytes_of(future: Any) -> bytes:
    try:
        result: bytes = future.result()
        return result
    except ImportError as error:
        raise _tenon.MissingComponent(
            f"a worker of the client cannot import tenon ({error}); install it there, or set the worker's PYTHONPATH"
        ) from None
    except importlib.import_module("distributed").KilledWorker as error:
        raise _tenon.SimulationError(
            f"workers died of a shard again and again ({error}); give them more memory, or more shards"
        ) from None


def _shard_count(client: Any, folder: Path, shards: Optional[int]) -> int:
    """That of parts which an earlier call left, or the given one, or one by the client's threads."""
    earlier = {int(part.stem.rpartition("-")[2]) for part in folder.glob("*-of-*.study")}
    if len(earlier) > 1 or (earlier and shards is not None and shards not in earlier):
        raise _tenon.InputError(
            f"out: {folder}: has parts of {', '.join(map(str, sorted(earlier)))} shards; remove the folder, or go on "
            "with that number"
        )
    if earlier:
        return earlier.pop()
    if shards is None:
        shards = SHARDS_PER_THREAD * sum(client.nthreads().values())
        if shards == 0:
            raise _tenon.InputError("client: has no workers; start some, or give the number of shards")
    return whole("shards", shards, 1, MAX_SHARDS)


def _cases_of(cases: int, index: int, count: int) -> int:
    return (cases - index + count - 1) // count


def _shard(content: tuple[str, str, str, dict[str, bytes], list[str]], index: int, count: int) -> bytes:
    """Runs on a worker: the results file of one shard."""
    with tempfile.TemporaryDirectory(prefix="tenon-study-") as folder:
        file = Path(folder) / "part.study"
        _tenon.Study.restore(*content).run(str(file), 1, (index, count), None)
        return file.read_bytes()
