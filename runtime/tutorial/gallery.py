#!/usr/bin/env python3
"""Makes the gallery: a picture of each shipped scene, and the page that shows them.

Usage, in the project's folder: runtime/tutorial/gallery.py [--program build/release/tenon] [--page] [--check]
--page: only the page; --check: writes nothing, and fails where the page or a picture is missing or too many.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SCENES = FOLDER.parent.parent / "content" / "scenes"
SIZE = "480x300"

# What `tenon render` shows of a scene: where nothing is given, its start.
VIEWS = {
    "arch": "--time 0.2 --forces",
    "bearing": "--time 4",
    "bolt-in-plate": "--time 2.4 --section y=0 --forces",
    "connected-blocks": "--time 1",
    "cross-thread": "--set tilt_deg=8 --time 1.2 --section y=0 --forces",
    "factory-peg-16mm": "--time 1.2",
    "factory-peg-8mm": "--time 1.2",
    "flange": "--time 7.75",
    "four-bolts": "--time 4",
    "free-fall": "--time 0.1",
    "gearbox-cover": "--time 5",
    "hinge": "--time 4.5",
    "insertion-benchmark": "--time 1.6 --section y=0 --forces",
    "leaning-blocks": "--time 0.2",
    "newtons-cradle": "--time 0.4",
    "nut-on-bolt": "--time 5",
    "peg-board": "--time 3",
    "pendulum": "--time 0.3",
    "pile": "--time 0.6",
    "press-fit": "--time 2 --section y=0",
    "screwdriving": "--time 3.3 --section y=0 --forces",
    "stack": "--time 0.1",
    "torque-driver": "--time 3.05 --section y=0 --forces",
    "trammel": "--time 0.3",
}


def scenes():
    return sorted(path.stem for path in SCENES.glob("*.json"))


def picture(name):
    return FOLDER / "pictures" / f"{name}.png"


def arguments(name):
    return f"render content/scenes/{name}.json {VIEWS.get(name, '')} --size {SIZE} --out " \
           f"runtime/tutorial/pictures/{name}.png".replace("  ", " ")


def entry(name):
    """The lines of one scene."""
    scene = json.loads((SCENES / f"{name}.json").read_text(encoding="utf-8"))
    has_hands = any(hand.get("script") for hand in scene.get("hands", []))
    tries = f"tenon preview content/scenes/{name}.json" + (" --play" if has_hands else "")
    parameters = ", ".join(f"`{p['name']}` {p['minimum']:g} to {p['maximum']:g}" for p in scene.get("parameters", []))
    lines = [f"## {name}: {scene['title']}", "", f"![{scene['title']}](pictures/{name}.png)", "",
             scene.get("description", ""), ""]
    if parameters:
        lines += [f"Parameters (`--set NAME=VALUE`): {parameters}.", ""]
    return lines + [f"Try `{tries}`. Picture: `tenon {arguments(name)} --force`", ""]


def page():
    lines = ["# Gallery of the shipped scenes", "",
             "Each picture is made by the command below it, this page and all of them by `python3 runtime/tutorial/gallery.py`.",
             "A picture shows the simulated state at its time.", ""]
    for name in scenes():
        lines += entry(name)
    return "\n".join(lines).rstrip() + "\n"


def check():
    """What is not as this program would make it."""
    shown = FOLDER / "gallery.md"
    if not shown.exists() or shown.read_text(encoding="utf-8") != page():
        yield f"{shown.name} is not up to date: python3 runtime/tutorial/gallery.py --page"
    names = set(scenes())
    for name in sorted(names - {path.stem for path in FOLDER.glob("pictures/*.png")}):
        yield f"content/scenes/{name}.json has no picture: python3 runtime/tutorial/gallery.py"
    for name in sorted(set(VIEWS) - names):
        yield f"gallery.py: there is no scene {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/tenon")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        problems = list(check())
        print("\n".join(problems), end="\n" if problems else "")
        return 1 if problems else 0
    if not options.page:
        for name in scenes():
            print(f"{picture(name).name}: {arguments(name)}", file=sys.stderr)
            subprocess.run([options.program, *arguments(name).split(), "--force"], check=True,
                           cwd=SCENES.parent.parent)
    (FOLDER / "gallery.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
