"""Checks of arguments, with errors that name the argument, the problem and the remedy."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping
from typing import Any, Optional, SupportsFloat, SupportsIndex, Union

import numpy as np
from numpy.typing import ArrayLike

from ._tenon import InputError

PathLike = Union[str, "os.PathLike[str]"]

SolverArguments = tuple[str, str, dict[str, str]]


def number(name: str, value: SupportsFloat, minimum: float = -math.inf, maximum: float = math.inf) -> float:
    """A finite number within limits."""
    try:
        converted = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name}: {value!r}: is not a number; give a number") from None
    if not math.isfinite(converted):
        raise InputError(f"{name}: {converted}: is not finite; give a finite number")
    if not minimum <= converted <= maximum:
        limits = f"at least {minimum:g}" if maximum == math.inf else f"from {minimum:g} to {maximum:g}"
        raise InputError(f"{name}: {converted:g}: is out of range; give a number {limits}")
    return converted


def whole(name: str, value: SupportsIndex, minimum: int, maximum: int) -> int:
    """A whole number within limits."""
    try:
        converted = operator.index(value)
    except TypeError:
        raise InputError(f"{name}: {value!r}: is not a whole number; give a whole number") from None
    if not minimum <= converted <= maximum:
        raise InputError(
            f"{name}: {converted}: is out of range; give a whole number from {minimum} to {maximum}"
        )
    return converted


def vector(name: str, value: ArrayLike, size: int, unit: str) -> tuple[float, ...]:
    """Finite numbers of an array of shape (size,)."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: {value!r}: is not an array of numbers; give {size} numbers {unit}") from None
    if array.shape != (size,):
        raise InputError(f"{name}: has the shape {array.shape}; give {size} numbers {unit}, of shape ({size},)")
    if not np.isfinite(array).all():
        raise InputError(f"{name}: {array.tolist()}: is not finite; give {size} finite numbers {unit}")
    return tuple(array.tolist())


def pose(name: str, position: ArrayLike, quaternion: Optional[ArrayLike]) -> tuple[float, ...]:
    """Position and quaternion as 7 numbers; no quaternion: the world's axes."""
    p = vector(f"{name}.position", position, 3, "[m]")
    if quaternion is None:
        return (*p, 1.0, 0.0, 0.0, 0.0)
    q = vector(f"{name}.quaternion", quaternion, 4, "(w, x, y, z)")
    length = math.sqrt(sum(x * x for x in q))
    if abs(length - 1) > 1e-6:
        raise InputError(f"{name}.quaternion: has the length {length:g}; divide it by its length")
    return (*p, *q)


def path(name: str, value: PathLike) -> str:
    """The path of a file as text."""
    try:
        text = os.fspath(value)
    except TypeError:
        raise InputError(f"{name}: {value!r}: is not a path; give the path of a file") from None
    if not isinstance(text, str):
        raise InputError(f"{name}: {text!r}: is not a text; give the path of a file as str")
    if "\0" in text:
        raise InputError(f"{name}: {text!r}: contains a zero character; give the path of a file")
    return text


def solver_arguments(
    solver: str, accuracy: str, options: Optional[Mapping[str, Any]]
) -> SolverArguments:
    """Solver, accuracy and options as the extension module takes them."""
    return solver, accuracy, {str(name): str(value) for name, value in (options or {}).items()}
