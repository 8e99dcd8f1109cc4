"""Types of the package, by mypy --strict, and its docstrings."""

import inspect
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import tenon

PACKAGE = Path(os.environ["TENON_SOURCE_DIR"]) / "runtime" / "python" / "tenon"

RIGHT = """
import numpy as np
import tenon

scene: tenon.Scene = tenon.load("x.json", clearance_um=10)
result: tenon.Result = tenon.run(scene, solver="auto", rate=1000)
results: list[tenon.Result] = tenon.run_many([scene, {"scene": "x.json"}], threads=2)
simulation = tenon.Simulation(scene)
simulation.apply(tenon.MoveHand("right", [0, 0, 0.1]), tenon.Reset())
height: float = float(simulation.state.part("screw")["position"][2])
observation, reward, terminated, truncated, info = tenon.envs.Insertion(scene).step(np.zeros(6))
with tenon.open("s.tenon") as session:
    steps: int = session.steps
"""
WRONG = [
    'tenon.load(7)',
    'tenon.run("x.json", rate="fast")',
    'tenon.Simulation("x.json").step("1")',
    'tenon.Simulation("x.json").apply("release")',
    'tenon.open("s.tenon").steps = 3',
    'tenon.MoveHand()',
]


class Types(unittest.TestCase):
    def test_mypy_accepts_the_package_and_a_right_program_and_rejects_a_wrong_one(self):
        with tempfile.TemporaryDirectory() as folder:
            right, wrong = Path(folder) / "right.py", Path(folder) / "wrong.py"
            right.write_text(RIGHT)
            wrong.write_text("import tenon\n" + "\n".join(WRONG) + "\n")
            # One run for all: most of its time goes into numpy's types.
            ended = subprocess.run(
                [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={folder}", PACKAGE, right, wrong],
                env={**os.environ, "MYPYPATH": str(PACKAGE.parent)},
                capture_output=True,
                text=True,
                check=False,
            )
        output = ended.stdout + ended.stderr
        self.assertEqual(ended.returncode, 1, output)
        errors = [line for line in ended.stdout.splitlines() if ": error: " in line]
        for line in range(2, 2 + len(WRONG)):
            self.assertIn(f"wrong.py:{line}: error", output)
        self.assertEqual([line for line in errors if "wrong.py" not in line], [], output)

    def test_the_types_name_what_the_extension_module_has(self):
        from tenon import _tenon

        declared = {}
        kind = None
        for line in (PACKAGE / "_tenon.pyi").read_text().splitlines():
            words = line.replace("(", " ").replace(":", " ").split()
            if line.startswith("class "):
                kind = words[1]
                declared[kind] = set()
            elif line.startswith("    def "):
                declared[kind].add(words[1])
        for name, members in declared.items():
            there = {m for m in vars(getattr(_tenon, name)) if not m.startswith("_")}
            self.assertEqual({m for m in members if not m.startswith("_")}, there, name)

    def test_everything_public_has_a_docstring(self):
        for name in tenon.__all__:
            thing = getattr(tenon, name)
            if inspect.isclass(thing) and thing.__module__.startswith("tenon._") and hasattr(thing, "__dict__"):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                        if thing.__module__ != "tenon._tenon":
                            self.assertTrue(inspect.getdoc(value), f"{name}.{member}")
            if callable(thing) and name not in ("State", "Snapshot", "Command"):
                self.assertTrue(inspect.getdoc(thing), name)


if __name__ == "__main__":
    unittest.main()
