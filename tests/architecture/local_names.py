"""Finds names that are local to one source file and mean something else in another one of its folder.

In a unity build the source files of a folder are one translation unit, and share their unnamed namespaces. Names are
read from lines that are not indented, as clang-format leaves what stands in a namespace.
"""

import functools
import re

# What begins a line that declares nothing: keywords, and GoogleTest's macros.
NO_NAME = r"(?:using|namespace|template|public|private|protected|case|default|return)\b|[A-Z_]+(?:_[FP])?\("


def without_text(line):
    """The line without comments, strings (but names of headers) and attributes."""
    line = re.sub(r'(?<!#include )"(?:\\.|[^"\\])*"', '""', line)
    return re.sub(r"\[\[\w+\]\] ", "", re.sub(r"//.*", "", line)).rstrip()


def without_arguments(line):
    """The line without what stands between angle brackets."""
    before = None
    while before != line:
        before, line = line, re.sub(r"<[^<>]*>", "", line)
    return line


def declared(line):
    """The names that a line which is not indented declares."""
    kind = re.match(r"(?:struct|class|enum class|enum|union|#define) (\w+)(?!.*::\w+ [{:])|using (\w+) =", line)
    if kind:
        return {kind[1] or kind[2]}
    if not re.match(r"[\w:]", line) or re.match(NO_NAME, line):
        return set()
    if re.match(r"(?:inline )?const", line) and "=" in line:
        return set(re.findall(r"(\w+)(?:\[\w*\])? =", line))
    name = re.search(r"([\w:~]+)\s*(?:[({=;\[]|$)", without_arguments(line))
    return {name[1]} if name and "::" not in name[1] and not re.search(r"\w::\w+\(", line) else set()


class Names:
    """What one file declares: (outermost namespace, line number, line) by name."""

    def __init__(self):
        self.own = {}  # in unnamed namespaces, static, macros, aliases and constants of a source file
        self.shared = {}  # all else
        self.inner = {}  # constants of functions: one of a file around them would be shadowed


@functools.cache
def names(path):
    """The Names of a file."""
    all_names = Names()
    opened = []  # the namespaces around a line
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("}  // namespace"):
            opened.pop()
        found = re.match(r"(?:inline )?namespace ([\w:]*) ?{$", line)
        if found:
            opened.append(found[1])
        line = without_text(line)
        if re.match(r"(?:struct|class|enum class) \w+;", line) or any(opened[1:]):
            continue
        place = ("" if line.startswith("#") else "".join(opened[:1]), number, line)
        hidden = path.suffix == ".cpp" and ("" in opened or re.match(r"#define|static|using|constexpr|const [^(=]*=", line))
        for name in declared(line):
            (all_names.own if hidden else all_names.shared).setdefault(name, place)
        for name in re.findall(r"^\s+(?:static )?constexpr .*?\b(k[A-Z]\w*)\b(?: =|\{|\[)", line):
            all_names.inner.setdefault(name, place)
        used = re.match(r"using [\w:]*::(\w+);", line)
        if used:
            all_names.shared[used[1]] = place
    return all_names


def differ(place, other):
    """True if a name means two things: its places are not in different namespaces and are not the same alias or macro."""
    namespaces = {place[0], other[0]}
    alike = place[2] == other[2] and re.match(r"using|namespace|#define", place[2])
    return ("" in namespaces or len(namespaces) == 1) and not alike


def clashes(sources, reached):
    """(path, line number, name, path, line number) of names that mean different things in two files. `sources` are
    the source files of one folder; reached(file) returns the headers that it includes, directly or not."""
    for path in sources:
        before = sources[: sources.index(path)]
        others = [other for other in sources if other != path]
        headers = {header for other in others for header in reached(other)} - reached(path)
        for name, place in names(path).own.items():
            met = [(other, names(other).own.get(name)) for other in before]
            for other in others + sorted(headers):
                met.append((other, names(other).shared.get(name)))
            met += [(other, names(other).inner.get(name)) for other in others]
            for other, meant in met:
                if meant and differ(place, meant):
                    yield path, place[1], name, other, meant[1]
                    break
