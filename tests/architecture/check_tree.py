#!/usr/bin/env python3
"""The rules of the house that a compiler does not see, checked over the source tree.

Usage: check_tree.py [--root DIR] RULE | --list

Prints one line for each violation, `file:line: what is wrong`; exit code 1 where there is any.
"""

import argparse
import pathlib
import re
import subprocess
import sys
from collections import defaultdict

import contract as network
import local_names as local

ROOMS = ["physics", "content", "xr", "runtime"]  # each may include itself and those before it
SOURCE_ENDINGS = {".h", ".cpp"}
TEXT_ENDINGS = SOURCE_ENDINGS | {".py", ".sh", ".md", ".txt", ".cmake", ".json", ".md"}
MAX_LINES = 800
# Everything allowed at the top level: the folders and files of the project, and files that tools require there.
TOP_LEVEL = set(ROOMS) | {"tests", "CMakeLists.txt", "README.md"} | {
    ".ci", ".clang-format", ".clang-tidy", ".clangd", ".editorconfig", ".github", ".gitignore", "CHANGELOG.md",
    "CMakePresets.json", "CONTRIBUTING.md", "LICENSE"}
# Folders that no unity build compiles.
APART = ("content/step/reader/", "tests/examples/", "tests/fuzz/", "tests/support/faults/")

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


class Tree:
    """The files that belong to the project, by path relative to its root."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.reached_by = {}
        self.paths = sorted(path for path in self.list_paths() if (self.root / path).is_file())

    def list_paths(self):
        git = ["git", "-C", str(self.root), "ls-files", "--cached", "--others", "--exclude-standard"]
        try:
            listed = subprocess.run(git, capture_output=True, text=True, check=True).stdout
            return [pathlib.PurePosixPath(line) for line in listed.splitlines()]
        except (OSError, subprocess.CalledProcessError):  # an unpacked archive
            found = (path.relative_to(self.root) for path in self.root.rglob("*"))
            return [pathlib.PurePosixPath(p) for p in found if p.parts[0] not in (".git", "build")]

    def lines(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace").splitlines()

    def sources(self, *rooms):
        return [p for p in self.paths if p.suffix in SOURCE_ENDINGS and p.parts[0] in rooms]

    def includes(self, path):
        """(line number, what is included) of every #include."""
        for number, line in enumerate(self.lines(path), 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1)

    def reached(self, path):
        """What a file includes, itself or through ours."""
        if path not in self.reached_by:
            self.reached_by[path] = set()
            for _, name in self.includes(path):
                beside = path.parent / name
                ours = beside if (self.root / beside).is_file() else pathlib.PurePosixPath(name)
                self.reached_by[path] |= {str(ours)} | (self.reached(ours) if (self.root / ours).is_file() else set())
        return self.reached_by[path]

    def matches(self, paths, pattern):
        """(path, line number, matched text) of every line that `pattern` is found in."""
        for path in paths:
            for number, line in enumerate(self.lines(path), 1):
                found = pattern.search(line)
                if found:
                    yield path, number, found.group(0)


def arrows(tree):
    """Includes point one way: physics <- content <- xr <- runtime, and nothing includes tests."""
    for path in tree.sources(*ROOMS):
        allowed = ROOMS[: ROOMS.index(path.parts[0]) + 1]
        for number, name in tree.includes(path):
            room = name.split("/")[0]
            if room in ROOMS + ["tests"] and room not in allowed:
                yield f"{path}:{number}: {path.parts[0]} must not include {name}"


def circles(tree):
    """No folder needs another in a circle, on whatever level."""
    needs = {}  # folder -> {folder: the first file and line that includes from it}
    for path in tree.sources(*ROOMS):
        for number, name in tree.includes(path):
            target = pathlib.PurePosixPath(name)
            if target.parts[0] in ROOMS and target.parent != path.parent:
                needs.setdefault(path.parent, {}).setdefault(target.parent, f"{path}:{number}")

    def reachable(start):
        found, pending = set(), [start]
        while pending:
            for folder in needs.get(pending.pop(), {}):
                if folder not in found:
                    found.add(folder)
                    pending.append(folder)
        return found

    reached = {folder: reachable(folder) for folder in needs}
    for folder in sorted(needs):
        circle = sorted(other for other in reached[folder] if folder in reached.get(other, ()))
        if circle and circle[0] == folder:
            places = [needs[a][b] for a in circle for b in sorted(needs[a]) if b in circle]
            yield f"{places[0]}: a circle of {', '.join(map(str, circle))}; also {', '.join(places[1:])}"


def bullet(tree):
    """Bullet's headers are included in physics/collision/bullet alone."""
    for path in tree.sources(*ROOMS):
        for number, name in tree.includes(path):
            is_bullet = re.match(r"(bullet/|BulletCollision/|LinearMath/|bt[A-Z]|btBullet)", name)
            if is_bullet and path.parts[:3] != ("physics", "collision", "bullet"):
                yield f"{path}:{number}: {name} belongs into physics/collision/bullet"


def cad(tree):
    """OpenCASCADE's headers are included in content/step/reader alone, and where tests write STEP files."""
    for path in tree.sources(*ROOMS, "tests"):
        for number, name in tree.includes(path):
            at_home = path.parts[:3] in (("content", "step", "reader"), ("tests", "support", "step"))
            if name.endswith(".hxx") and not at_home:
                yield f"{path}:{number}: {name} belongs into content/step/reader"


def graphics(tree):
    """Vulkan's headers are included in xr/vulkan alone, OpenXR's in xr/openxr alone."""
    homes = {"vulkan": ("vulkan",), "openxr": ("openxr",)}
    for path in tree.sources(*ROOMS):
        for number, name in tree.includes(path):
            library = name.split("/")[0]
            if library in homes and "/" in name:
                if path.parts[0] != "xr" or path.parts[1] not in homes[library]:
                    yield f"{path}:{number}: {name} belongs into xr/{' or xr/'.join(homes[library])}"


# What the files of a folder must not include, by the beginnings of the names.
LAYERS = {
    "xr/vulkan": ("content/", "openxr/", "xr/render/", "xr/openxr/"),
    "xr/render": ("content/", "openxr/", "xr/appearance/", "xr/hands/", "xr/openxr/", "xr/display/"),
}


def layers(tree):
    """The renderer and the Vulkan layer below it include no content, no OpenXR and nothing above them."""
    for path in tree.sources("xr"):
        for number, name in tree.includes(path):
            if name.startswith(LAYERS.get("/".join(path.parts[:2]), ("//",))):
                yield f"{path}:{number}: {path.parent} must not include {name}"


def colors(tree):
    """Colors of windows are those of xr/appearance/palette.h, whose contrasts are tested."""
    pattern = re.compile(r"(IM_COL32|ImColor|TextColored)\(\{?\s*\d|ImVec4[ \w]*[({]\s*\d*\.\d")
    for path, number, text in tree.matches(tree.sources("xr", "runtime"), pattern):
        yield f"{path}:{number}: {text}…: use a color of xr/appearance/palette.h"


def order(tree):
    """No unordered containers in physics: their order would be in the results."""
    pattern = re.compile(r"unordered_(multi)?(map|set)")
    for path, number, text in tree.matches(tree.sources("physics"), pattern):
        yield f"{path}:{number}: {text} has no fixed order; use a sorted vector or std::map"


def comments(tree):
    """Every source file starts with a comment that says what it is for."""
    for path in tree.sources(*ROOMS, "tests"):
        lines = tree.lines(path)
        if not lines or not re.match(r"//\s*\S|/\*", lines[0]):
            yield f"{path}:1: starts without a comment on what the file is for"


def headers(tree):
    """Every header guards itself with #pragma once."""
    for path in tree.sources(*ROOMS, "tests"):
        if path.suffix == ".h" and "#pragma once" not in tree.lines(path):
            yield f"{path}:1: has no #pragma once"


def lengths(tree):
    """No file of more than 800 lines."""
    for path in tree.paths:
        if path.suffix in TEXT_ENDINGS - {".json"} and len(tree.lines(path)) > MAX_LINES:
            yield f"{path}:{MAX_LINES + 1}: has {len(tree.lines(path))} lines, {MAX_LINES} at most"


def names(tree):
    """Files in snake_case; no type or file called after doing everything."""
    vague = re.compile(r"\b(class|struct)\s+\w*(Manager|Utils|Util|Helpers|Helper)\b")
    for path in tree.sources(*ROOMS, "tests"):
        if not re.fullmatch(r"[a-z0-9_]+\.(h|cpp)", path.name):
            yield f"{path}:1: the file's name is not in snake_case"
        if re.search(r"(manager|utils?|helpers?)\.", path.name):
            yield f"{path}:1: the file's name does not say what it does"
    for path, number, text in tree.matches(tree.sources(*ROOMS, "tests"), vague):
        yield f"{path}:{number}: '{text}' does not say what it does"


def leftovers(tree):
    """No notes to oneself, and no paths of one machine."""
    notes = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    places = re.compile(r"(?<![\w.])/(ho" r"me|ro" r"ot|wo" r"rk|Us" r"ers)/\w+")
    texts = [p for p in tree.paths if p.suffix in TEXT_ENDINGS or p.name == "run"]
    for path, number, text in tree.matches(texts, notes):
        yield f"{path}:{number}: {text}: do it, or open an issue"
    for path, number, text in tree.matches(texts, places):
        yield f"{path}:{number}: {text} is a path of one machine"


def usings(tree):
    """No using-declaration of a name that the file does not use."""
    for path in tree.sources(*ROOMS, "tests"):
        code = [re.sub(r"//.*", "", line) for line in tree.lines(path)]
        for number, line in enumerate(code, 1):
            found = re.match(r"\s*using [\w:]+::(\w+);", line)
            if path.suffix == ".cpp" and found:
                if not any(re.search(rf"(?<!::)\b{found[1]}\b", other) for other in code if other is not line):
                    yield f"{path}:{number}: {found[0].strip()} is not used"


# Pattern of what a precompiled header brings in, and the names that an #include of it may have.
PRECOMPILED = [
    (re.compile(r"\bstd::vector\b"), r"vector"),
    (re.compile(r"\bstd::(sort|stable_sort|find_if|any_of|all_of|none_of|clamp|ranges::\w+)\b"), r"algorithm|ranges"),
    (re.compile(r"\bstd::(sqrt|sin|cos|tan|atan2?|acos|asin|hypot|floor|ceil|pow|exp|log|isfinite|isnan)\b"), r"cmath"),
    (re.compile(r"\bEigen::"), r"Eigen/\w+"),
    (re.compile(r"\bEigen::(Quaterniond?|AngleAxisd|Isometry3d|Translation3d)\b"), r"Eigen/(Geometry|Dense)"),
    (re.compile(r"\bfmt::"), r"fmt/\w+\.h"),
    (re.compile(r"\bnlohmann::"), r"nlohmann/json(_fwd)?\.hpp"),
    (re.compile(r"\bCLI::"), r"CLI/\w+\.hpp|runtime/session/command_line\.h"),  # or its forward declarations
]


def includes(tree):
    """Each file includes, itself or through ours, what a precompiled header would bring in unseen."""
    for path in tree.sources(*ROOMS):
        for pattern, header in PRECOMPILED:
            if any(re.fullmatch(header, name) for name in tree.reached(path)):
                continue
            for number, line in enumerate(tree.lines(path), 1):
                found = pattern.search(re.sub(r"//.*", "", line))
                if found:
                    yield f"{path}:{number}: {found[0]} is used without an #include of {header}"
                    break


# Words that stand where the field has terms, and what to write. Objects return, store, compute and report.
DIALECT = [
    (r"told|tells?|telling", "report, return, show, indicate"),
    (r"asks|asked|asking", "query, request, call, require"),
    (r"lets? go|letting go", "release, disengage"),
    (r"knows", "has, stores"),
    (r"wants", "requires"),
    (r"(?<!there )(?:is|are) (?-i:none)", "is missing, is invalid, is not finite"),
    (r"ways", "paths, methods"),
    (r"anew", "again"),
    (r"crowds?", "large island"),
    (r"nobody|somebody", "the caller, the user, no function"),
    (r"to and fro", "alternates"),
]
DIALECT_WORD = re.compile(r"\b(" + "|".join(rf"({words})" for words, _ in DIALECT) + r")\b", re.IGNORECASE)
TEST_NAME = re.compile(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)\)", re.MULTILINE)
CPP_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


def blanked(text):
    """Spaces in place of `text`, with its line ends."""
    return re.sub(r"[^\n]", " ", text)


def as_comment(test):
    """The words of a test's name as a comment, where the name ends: `TEST(Jam, isTold)` gives "Jam is Told"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", f"{test[1]} {test[2]}")
    return blanked(test[0]) + f"/* {words} */"


def prose(path, text):
    """What a person reads in a file, the rest blanked: C++ comments and strings, and the words of tests' names;
    Markdown but for its code. A string without a space is a key or a name, and so a contract; `code` in a comment is
    as well."""
    if path.suffix in SOURCE_ENDINGS:
        text = TEST_NAME.sub(as_comment, text)
        shown, end = [], 0
        for found in CPP_TEXT.finditer(text):
            isText = found[0].startswith("/") or (found[0].startswith('"') and " " in found[0].strip())
            shown += [blanked(text[end : found.start()]), found[0] if isText else blanked(found[0])]
            end = found.end()
        text = "".join(shown + [blanked(text[end:])])
    elif path.suffix == ".md":
        text = re.sub(r"```.*?```", lambda found: blanked(found[0]), text, flags=re.DOTALL)
    return re.sub(r"`[^`\n]*`", lambda found: blanked(found[0]), text)


def dialect(tree):
    """No words of the house's old dialect in comments, strings and Markdown: the field's terms instead."""
    for path in tree.paths:
        # The rules' own files list the words.
        if path.suffix not in TEXT_ENDINGS - {".json"} or path.match("tests/architecture/check_tree*.py"):
            continue
        for number, line in enumerate(prose(path, "\n".join(tree.lines(path))).splitlines(), 1):
            for found in DIALECT_WORD.finditer(line):
                instead = next(write for k, (_, write) in enumerate(DIALECT) if found[k + 2])
                yield f"{path}:{number}: '{found[0]}': write {instead}"


def readmes(tree):
    """Each room has a README.md."""
    for room in ROOMS + ["tests"]:
        if pathlib.PurePosixPath(room, "README.md") not in tree.paths:
            yield f"{room}/README.md:1: is missing"


def toplevel(tree):
    """The top level has the project's folders and the files that tools require there, and nothing else."""
    found = {path.parts[0]: path for path in reversed(tree.paths)}
    for name in sorted(set(found) - TOP_LEVEL):
        yield f"{found[name]}:1: {name} belongs in one of the folders {', '.join(ROOMS + ['tests'])}"


def local_names(tree):
    """No name that is local to a source file means something else in another file of its folder: a unity build
    compiles them together."""
    folders = defaultdict(list)
    for path in tree.sources(*ROOMS, "tests"):
        if path.suffix == ".cpp" and not str(path).startswith(APART):
            folders[path.parent].append(tree.root / path)

    def reached(path):
        room = path.relative_to(tree.root).parts[0]
        names = tree.reached(pathlib.PurePosixPath(path.relative_to(tree.root)))
        return {tree.root / name for name in names if name.startswith(room + "/") and (tree.root / name).is_file()}

    for sources in folders.values():
        for path, number, name, other, line in local.clashes(sources, reached):
            found = f"{other.relative_to(tree.root)}:{line}"
            said = f"is something else at {found}; give one of them another name or namespace"
            yield f"{path.relative_to(tree.root)}:{number}: '{name}' {said}"


CONTRACT = pathlib.PurePosixPath("tests/architecture/contract.txt")


def contract(tree):
    """The network contract keeps what clients of an earlier version use: no message, field or call of
    tests/architecture/contract.txt is removed, renumbered or of another type. After a release:
    `python3 tests/architecture/contract.py runtime/service/tenon/v1/*.proto > tests/architecture/contract.txt`."""
    if CONTRACT not in tree.paths:
        return
    protos = [path for path in tree.paths if path.match("runtime/service/tenon/v1/*.proto")]
    present = network.declarations(tree.root / path for path in protos)
    recorded = tree.lines(CONTRACT)
    numbers = {network.subject(line): number for number, line in enumerate(recorded, 1)}
    for name, wrong in network.breaks(recorded, present):
        yield f"{CONTRACT}:{numbers[name]}: {name} {wrong}"


RULES = [arrows, circles, bullet, cad, graphics, layers, colors, order, comments, headers, lengths, names, leftovers,
         usings, includes, dialect, readmes, toplevel, local_names, contract]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--list", action="store_true", help="print the rules")
    parser.add_argument("rule", nargs="?", choices=[rule.__name__ for rule in RULES])
    options = parser.parse_args(arguments)
    if options.list or not options.rule:
        print("\n".join(rule.__name__ for rule in RULES))
        return 0
    rule = next(rule for rule in RULES if rule.__name__ == options.rule)
    violations = list(rule(Tree(options.root)))
    print("\n".join([f"{rule.__name__}: {rule.__doc__}"] + violations))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
