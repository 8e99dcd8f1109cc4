"""Simulation.render() and Scene.picture(): the pictures of `tenon render`, or a clear error without Vulkan."""

import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

import numpy as np

import tenon

PROGRAM = os.environ["TENON_PROGRAM"]
SCENES = Path(os.environ["TENON_SOURCE_DIR"]) / "content" / "scenes"


def pixels(png):
    """Array (height, width, 3) of a PNG file of 8-bit RGB."""
    position, data, size = 8, b"", None
    while position < len(png):
        length, kind = struct.unpack(">I4s", png[position : position + 8])
        content = png[position + 8 : position + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">IIBBBBB", content)
        if kind == b"IDAT":
            data += content
        position += 12 + length
    width, height, depth, color, *_ = size
    assert (depth, color) == (8, 2)
    raw = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + 3 * width)
    rows = np.zeros((height + 1, 3 * width + 3), np.int64)  # with a pixel and a row of zeros before
    for y in range(height):
        kind, line, up, row = raw[y, 0], raw[y, 1:].astype(np.int64), rows[y], rows[y + 1]
        for x in range(3 * width):
            a, b, c = row[x], up[x + 3], up[x]
            if kind == 4:
                p = a + b - c
                distances = (abs(p - a), abs(p - b), abs(p - c))
                predicted = (a, b, c)[distances.index(min(distances))]
            else:
                predicted = (0, a, b, (a + b) // 2)[kind]
            row[x + 3] = (line[x] + predicted) % 256
    return rows[1:, 3:].reshape(height, width, 3).astype(np.uint8)


class Pictures(unittest.TestCase):
    def rendered(self, *arguments):
        """The bytes of the PNG file of the program."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "p.png"
            subprocess.run([PROGRAM, "render", *map(str, arguments), "--out", file], check=True, capture_output=True)
            return file.read_bytes()

    def test_a_picture_of_the_start_has_the_bytes_of_the_program(self):
        file = SCENES / "bolt-in-plate.json"
        expected = self.rendered(file, "--size", "160x90", "--view", "top")
        self.assertEqual(tenon.load(file).picture((160, 90), view="top"), expected)

    def test_a_picture_of_a_state_has_the_pixels_of_the_program(self):
        file = SCENES / "bolt-in-plate.json"
        simulation = tenon.Simulation(file)
        simulation.step(2000)
        options = ["--size", "96x64", "--time", 2, "--forces", "--section", "y=0", "--xray", "screw"]
        picture = simulation.render((96, 64), forces=True, section="y=0", xray=["screw"])
        self.assertEqual((picture.shape, picture.dtype), ((64, 96, 3), np.uint8))
        np.testing.assert_array_equal(picture, pixels(self.rendered(file, *options)))
        self.assertFalse(np.array_equal(picture, simulation.render((96, 64))))
        self.assertEqual(simulation.render((64, 96)).shape, (96, 64, 3))

    def test_bad_sizes_and_views_are_refused(self):
        simulation = tenon.Simulation(SCENES / "bolt-in-plate.json")
        for call, text in [
            (lambda: simulation.render((1, 1)), "--size: 1x1"),
            (lambda: simulation.render((0, 64)), "size"),
            (lambda: simulation.render((99999999999, 64)), "size"),
            (lambda: simulation.render((64, 64), view="scrow"), "did you mean .*screw"),
            (lambda: simulation.render((64, 64), section="q"), "--section"),
            (lambda: simulation.render((64, 64), xray=["bolt"]), "--xray"),
        ]:
            with self.assertRaisesRegex(tenon.InputError, text):
                call()

    def test_without_vulkan_the_error_names_the_remedy_and_scenes_are_tables(self):
        script = (
            "import sys, tenon\n"
            "scene = tenon.load(sys.argv[1])\n"
            "assert '<table>' in scene._repr_mimebundle_()['text/html']\n"
            "simulation = tenon.Simulation(scene)\n"
            "try:\n"
            "    simulation.render((64, 64))\n"
            "except tenon.MissingComponent as error:\n"
            "    print(error)\n"
            "simulation.step(5)\n"
            "print(simulation.steps)\n"
        )
        nothing = {"VK_ICD_FILENAMES": "/nonexistent.json", "VK_DRIVER_FILES": "/nonexistent.json"}
        ended = subprocess.run(
            [sys.executable, "-c", script, SCENES / "bolt-in-plate.json"],
            env={**os.environ, **nothing},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        error, steps = ended.stdout.strip().split("\n")
        self.assertRegex(error, "Vulkan.*; .*")
        self.assertEqual(steps, "5")


if __name__ == "__main__":
    unittest.main()
