"""Scenes: loading, checking, showing."""

from __future__ import annotations

from typing import Any, Optional

from . import _tenon
from ._arguments import PathLike, number, path, whole
from ._fields import Fields, html_table


class Check(Fields):
    """What `tenon check --json` prints: parts with sizes and masses, fits with clearances, joints, warnings."""

    def __repr__(self) -> str:
        return f"<tenon.Check of {self['scene']}: {len(self['parts'])} parts, {len(self['warnings'])} warnings>"

    def _repr_html_(self) -> str:
        rows = []
        for part in self["parts"]:
            size = part.get("size_m") or []
            mass = part.get("mass_kg")
            rows.append(
                [
                    str(part["name"]),
                    str(part.get("motion", "")),
                    " × ".join(f"{side * 1e3:g}" for side in size),
                    "" if mass is None else f"{mass:.6g}",
                ]
            )
        return html_table(["part", "motion", "size [mm]", "mass [kg]"], rows)


class Scene:
    """A checked scene; constant. Make one with `tenon.load()`."""

    def __init__(self, handle: _tenon.Scene) -> None:
        self._handle = handle

    @property
    def file(self) -> str:
        """The scene file, as given."""
        return self._handle.file

    @property
    def name(self) -> str:
        """The file's name without folder and extension."""
        return self._handle.name

    @property
    def title(self) -> str:
        """The scene's title."""
        return self._handle.title

    @property
    def duration(self) -> float:
        """Suggested duration of a run [s]; 0: none."""
        return self._handle.duration

    @property
    def rate(self) -> float:
        """Suggested step rate [Hz]."""
        return self._handle.rate

    @property
    def parts(self) -> list[str]:
        """Names of the parts, by index."""
        return self._handle.parts

    @property
    def hands(self) -> list[str]:
        """Names of the hands, by index."""
        return self._handle.hands

    @property
    def joints(self) -> list[str]:
        """Names of the joints, by index."""
        return self._handle.joints

    @property
    def goals(self) -> list[str]:
        """Names of the goals, by index: the scene's, or "PART into PART/HOLE"."""
        return self._handle.goals

    @property
    def thrusters(self) -> list[str]:
        """Names of the thrusters, by index."""
        return self._handle.thrusters

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """The scene's parameters: name, unit, description, default, minimum, maximum, and value in this scene."""
        return self._handle.parameters

    def part_index(self, part: str | int) -> int:
        """Index of a part by its name. Raises InputError for one that is not in the scene."""
        return self._handle.part_index(part)

    def goal_geometry(self, goal: str | int = 0) -> dict[str, Any]:
        """Geometry of a goal at the start.

        `part`, `into`: names. `depth` [m]. `time_limit` [s]. `mouth_position` (3) [m] and `mouth_quaternion` (4):
        the mouth of the hole in the world, z out of the hole. `tip_origin` (3) [m] and `tip_direction` (3, unit,
        out of the part): the end to insert, in the part's frame.
        """
        return self._handle.goal_geometry(goal)

    def check(self) -> Check:
        """What `tenon check --json` prints for this scene."""
        return Check(self._handle.survey())

    def picture(self, size: tuple[int, int] = (960, 540), view: str = "iso") -> bytes:
        """A picture of the start as the bytes of a PNG file. Raises MissingComponent without a Vulkan device."""
        width, height = whole("size[0]", size[0], 1, 65536), whole("size[1]", size[1], 1, 65536)
        return self._handle.picture((width, height), view)

    def __repr__(self) -> str:
        counts = f"{len(self.parts)} parts, {len(self.hands)} hands, {len(self.goals)} goals"
        return f"<tenon.Scene {self.name}: {self.title or 'untitled'}; {counts}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self)}
        try:
            bundle["image/png"] = self.picture()
        except _tenon.MissingComponent:
            bundle["text/html"] = self.check()._repr_html_()
        return bundle


def load(file: PathLike, parameters: Optional[dict[str, float]] = None, /, **values: float) -> Scene:
    """Reads and checks a scene file.

    `values` are the scene's parameters, as `--set NAME=VALUE` of the command line: `load("x.json", clearance_um=10)`;
    a name that is no identifier of Python goes into the dictionary `parameters`. Raises InputError for a file that is
    missing or invalid, an unknown parameter, and a value that is out of range or not finite.
    """
    given = {**(parameters or {}), **values}
    if len(given) != len(parameters or {}) + len(values):
        twice = sorted(set(parameters or {}) & set(values))
        raise _tenon.InputError(f"--set: {twice[0]}: is given twice; give each parameter one value")
    checked = {str(name): number(f"--set: {name}", value) for name, value in given.items()}
    return Scene(_tenon.Scene.load(path("file", file), checked))
