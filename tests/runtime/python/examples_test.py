"""The examples print what is expected of them."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCES = Path(os.environ["TENON_SOURCE_DIR"])
EXAMPLES = SOURCES / "runtime" / "python" / "examples"
EXPECTED = SOURCES / "tests" / "runtime" / "python" / "expected"
SCENES = SOURCES / "content" / "scenes"


class Examples(unittest.TestCase):
    maxDiff = None

    def printed(self, name, *arguments):
        """What an example prints."""
        ended = subprocess.run(
            [sys.executable, EXAMPLES / f"{name}.py", SCENES, *arguments], capture_output=True, text=True, check=False
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def assert_prints(self, name, *arguments):
        self.assertEqual(self.printed(name, *arguments), (EXPECTED / f"{name}.txt").read_text())

    def test_first_insertion(self):
        self.assert_prints("first_insertion")

    def test_tolerance_sweep(self):
        self.assert_prints("tolerance_sweep")

    def test_the_sweep_writes_its_plot_or_names_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "plot.png"
            ended = subprocess.run(
                [sys.executable, EXAMPLES / "tolerance_sweep.py", SCENES, file], capture_output=True, text=True, check=False
            )
            if ended.returncode == 0:
                self.assertTrue(file.read_bytes().startswith(b"\x89PNG"))
            else:
                self.assertRegex(ended.stderr, "apt-get install python3-matplotlib")

    def test_learning_environment(self):
        self.assert_prints("learning_environment")

    def test_reading_a_session(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assert_prints("reading_a_session", Path(folder) / "s.tenon")

    def test_yield_study(self):
        self.assert_prints("yield_study")

    def test_every_example_is_tested_and_described(self):
        names = {file.stem for file in EXAMPLES.glob("*.py")}
        self.assertEqual(names, {file.stem for file in EXPECTED.glob("*.txt")})
        readme = (SOURCES / "runtime" / "python" / "README.md").read_text()
        for name in names:
            self.assertTrue(re.search(rf"\b{name}\.py\b", readme), name)


if __name__ == "__main__":
    unittest.main()
