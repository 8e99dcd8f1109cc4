"""Results of the program as objects: JSON fields as attributes and as a read-only dictionary."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


class Fields(Mapping[str, Any]):
    """A JSON object of the program, with its fields as attributes: `result["goals"]` is `result.goals`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._fields: dict[str, Any] = json.loads(text)

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __getattr__(self, name: str) -> Any:
        # Also called while a copy is made, before there are fields.
        fields = self.__dict__.get("_fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(fields)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def to_json(self) -> str:
        """The JSON text, as the program prints it."""
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """A copy as a dictionary that may be changed."""
        copied: dict[str, Any] = json.loads(self._text)
        return copied


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for notebooks; all texts are escaped."""

    def line(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + line("th", header) + "".join(line("td", row) for row in rows) + "</table>"
