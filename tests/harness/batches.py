#!/usr/bin/env python3
"""Sorts sources into batches that compile as one translation unit, for CMake's unity builds.

Usage: batches.py FILE...

Prints `batch<TAB>file` for each file. Files that give one name to different things do not come into one
batch: names are read from the lines that are not indented. The same files give the same batches.
"""

import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]  # what includes are relative to
LINES = 3000  # of a batch: with longer ones a core is idle at the end of a build
# What begins a line that declares nothing: keywords, and GoogleTest's macros.
NO_NAME = r"(?:using|namespace|template|public|private|protected)\b|[A-Z_]+(?:_[FP])?\("


def plain(text):
    """The text without comments, strings (but names of headers) and attributes."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'(?<!#include )"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"\[\[\w+\]\] ", "", text)


def without_arguments(line):
    """The line without what stands between angle brackets."""
    before = None
    while before != line:
        before, line = line, re.sub(r"<[^<>]*>", "", line)
    return line


def declared(line):
    """The names that a line which is not indented declares."""
    kind = re.match(r"(?:struct|class|enum class|enum|union|#define) (\w+)|using (\w+) =", line)
    if kind:
        return {kind[1] or kind[2]}
    if not re.match(r"[\w:]", line) or re.match(NO_NAME, line):
        return set()
    if re.match(r"(?:inline )?const", line) and "=" in line:
        return set(re.findall(r"(\w+) =", line))
    name = re.search(r"([\w:]+)\s*(?:[({=;\[]|$)", without_arguments(line))
    return {name[1]} if name and "::" not in name[1] else set()


@functools.cache
def names(path):
    """(own, shared) names of a file: unnamed namespaces, aliases, macros and constants of functions are its own,
    and with them what its headers share and what it uses of other namespaces must not clash."""
    lines = plain(path.read_text(encoding="utf-8")).splitlines()
    own, shared = set(), set()
    unnamed = False
    for line in lines:
        if line.startswith("namespace {") or (unnamed and line.startswith("}  ")):
            unnamed = line[0] == "n"
        hidden = path.suffix == ".cpp" and (unnamed or re.match("#define|static|using|const", line))
        (own if hidden else shared).update(declared(line))
        own.update(re.findall(r"^\s+constexpr .*?\b(k[A-Z]\w*)\b(?: =|\{|\[)", line))
        used = re.match(r"using [\w:]*::(\w+);", line)
        if used:
            shared.add(used[1])
        header = re.match(r'#include "([^"]+)"', line)
        for folder in (path.parent, ROOT):
            if header and (folder / header[1]).exists():
                shared |= names(folder / header[1])[1]
                break
    return own, shared


class Batch:
    """Files that compile together."""

    def __init__(self):
        self.own, self.shared, self.length = set(), set(), 0

    def takes(self, own, shared, length):
        return self.length + length <= LINES and not (self.own & (own | shared) or self.shared & own)

    def add(self, own, shared, length):
        self.own |= own
        self.shared |= shared
        self.length += length


def batches(paths):
    """(batch, path) for each path: the first batch that takes it."""
    filled = []
    placed = []
    for path in sorted(paths):
        source = (*names(pathlib.Path(path)), pathlib.Path(path).read_text(encoding="utf-8").count("\n"))
        number = next((i for i, batch in enumerate(filled) if batch.takes(*source)), len(filled))
        if number == len(filled):
            filled.append(Batch())
        filled[number].add(*source)
        placed.append((number, path))
    return placed


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    for number, path in batches(arguments):
        print(f"{number}\t{path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
