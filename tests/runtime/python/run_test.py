"""tenon.load(), check(), run() and run_many() against the program."""

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import tenon

PROGRAM = os.environ["TENON_PROGRAM"]
SCENES = Path(os.environ["TENON_SOURCE_DIR"]) / "content" / "scenes"
MEASURED = {"wall_s", "real_time_factor", "step_us"}  # differ from run to run


def program(*arguments):
    """(exit code, stdout, stderr) of the program."""
    ended = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout, ended.stderr


def repeatable(result):
    """The fields of a result that a run repeats exactly."""
    return {name: value for name, value in result.items() if name not in MEASURED}


class Runs(unittest.TestCase):
    def assert_equals_program(self, scene, arguments, options, parameters=None):
        code, out, _ = program("run", SCENES / f"{scene}.json", "--json", *arguments)
        result = tenon.run(tenon.load(SCENES / f"{scene}.json", parameters or {}), **options)
        self.assertEqual(repeatable(result), repeatable(json.loads(out)))
        self.assertEqual(set(result), set(json.loads(out)))
        self.assertEqual(result.exit_code, code)
        return result

    def test_a_run_has_the_fields_and_the_state_hash_of_the_program(self):
        result = self.assert_equals_program("bolt-in-plate", ["--rate", 200], {"rate": 200})
        self.assertEqual(result.goals[0]["verdict"], "inserted")
        self.assertTrue(result.reached)
        self.assertEqual(result.state_hash, result["state_hash"])

    def test_parameters_solver_and_threads_act_as_those_of_the_program(self):
        arguments = ["--set", "clearance_um=5", "--set", "friction=0.1", "--solver", "fischer-newton"]
        arguments += ["--rate", 200, "--threads", 2, "--seed", 7, "--duration", 2]
        options = {"solver": "fischer-newton", "rate": 200, "threads": 2, "seed": 7, "duration": 2}
        values = {"clearance_um": 5, "friction": 0.1}
        result = self.assert_equals_program("insertion-benchmark", arguments, options, values)
        self.assertEqual(result.exit_code, 1)
        self.assertFalse(result.reached)

    def test_a_solver_option_is_passed_on(self):
        self.assert_equals_program(
            "insertion-benchmark",
            ["--solver", "gauss-seidel", "--solver-option", "sweeps=20", "--duration", 0.2, "--rate", 200],
            {"solver": "gauss-seidel", "solver_options": {"sweeps": 20}, "duration": 0.2, "rate": 200},
        )

    def test_a_check_has_the_fields_of_the_program(self):
        for scene in ["bolt-in-plate", "hinge"]:
            _, out, _ = program("check", SCENES / f"{scene}.json", "--json")
            self.assertEqual(dict(tenon.load(SCENES / f"{scene}.json").check()), json.loads(out))

    def test_a_recorded_run_is_verified_by_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "s.tenon"
            report = Path(folder) / "r.md"
            result = tenon.run(SCENES / "bolt-in-plate.json", rate=100, record=file, report=report)
            code, out, err = program("replay", file, "--verify")
            self.assertEqual(code, 0, out + err)
            self.assertIn(f"verified: {result.steps} steps", out)
            self.assertIn("inserted", report.read_text())
            with self.assertRaisesRegex(tenon.InputError, "exists"):
                tenon.run(SCENES / "bolt-in-plate.json", rate=100, record=file)
            tenon.run(SCENES / "bolt-in-plate.json", rate=100, record=file, force=True)

    def test_many_runs_are_those_alone_in_the_order_of_the_cases(self):
        file = SCENES / "insertion-benchmark.json"
        cases = [
            {"scene": file, "parameters": {"clearance_um": clearance}, "rate": 200, "duration": 0.5}
            for clearance in (5, 50, 500, 20)
        ]
        alone = [
            tenon.run(tenon.load(file, case["parameters"]), rate=200, duration=0.5) for case in cases
        ]
        for threads in (1, 3):
            together = tenon.run_many(cases, threads=threads)
            self.assertEqual([repeatable(r) for r in together], [repeatable(r) for r in alone])
        self.assertEqual(len({r.state_hash for r in alone}), len(cases))
        self.assertEqual(tenon.run_many([]), [])
        scene = tenon.load(file)
        first, second = tenon.run_many([scene, file], threads=2)
        self.assertEqual(first.state_hash, second.state_hash)

    def test_a_bad_case_is_named_by_its_index(self):
        good = SCENES / "insertion-benchmark.json"
        with self.assertRaisesRegex(tenon.InputError, "^case 1: .*missing.json"):
            tenon.run_many([good, SCENES / "missing.json"])
        with self.assertRaisesRegex(tenon.InputError, "^case 0: ratio: is not an argument"):
            tenon.run_many([{"scene": good, "ratio": 2}])
        with self.assertRaisesRegex(tenon.InputError, "^case 0: scene: is missing"):
            tenon.run_many([{"rate": 2000}])
        with self.assertRaisesRegex(tenon.InputError, "^case 0: --rate: "):
            tenon.run_many([{"scene": good, "rate": 1}], threads=1)
        with self.assertRaisesRegex(tenon.InputError, "threads"):
            tenon.run_many([good], threads=0)

    def interrupt_when(self, exists):
        """Sends SIGINT once a file is there."""

        def wait():
            while not Path(exists).exists():
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=wait)
        thread.start()
        return thread

    def test_ctrl_c_ends_a_run_and_its_record_is_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "s.tenon"
            thread = self.interrupt_when(file)
            with self.assertRaises(KeyboardInterrupt):
                tenon.run(SCENES / "pile.json", duration=86400, record=file)
            thread.join()
            with tenon.open(file) as session:
                self.assertEqual(session.ending, "interrupted")

    def test_ctrl_c_ends_many_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "s.tenon"
            cases = [{"scene": SCENES / "stack.json", "duration": 86400} for _ in range(3)]
            cases[0]["record"] = file
            thread = self.interrupt_when(file)
            with self.assertRaises(KeyboardInterrupt):
                tenon.run_many(cases, threads=2)
            thread.join()
            with tenon.open(file) as session:
                self.assertEqual(session.ending, "interrupted")


class Scenes(unittest.TestCase):
    def test_a_scene_lists_what_it_contains(self):
        scene = tenon.load(SCENES / "bolt-in-plate.json", hole_diameter_mm=9)
        self.assertEqual(scene.name, "bolt-in-plate")
        self.assertEqual(scene.parts, ["plate", "screw"])
        self.assertEqual(scene.hands, ["right"])
        self.assertEqual(scene.goals, ["screw into plate/hole"])
        self.assertEqual((scene.duration, scene.rate), (4.2, 1000))
        values = {parameter["name"]: parameter["value"] for parameter in scene.parameters}
        self.assertEqual(values["hole_diameter_mm"], 9)
        self.assertIn("2 parts, 1 hands, 1 goals", repr(scene))
        geometry = scene.goal_geometry(0)
        self.assertAlmostEqual(geometry["depth"], 0.03)
        self.assertEqual(geometry["mouth_position"], (0, 0, 0))

    def test_notebooks_get_a_picture_and_tables(self):
        scene = tenon.load(SCENES / "bolt-in-plate.json")
        self.assertTrue(scene._repr_mimebundle_()["image/png"].startswith(b"\x89PNG"))
        self.assertIn("<td>screw</td><td>dynamic</td><td>13 × 13 × 38</td>", scene.check()._repr_html_())
        result = tenon.run(scene, rate=100)
        self.assertIn("<td>inserted</td>", result._repr_html_())
        self.assertIn("inserted", repr(result))


class Errors(unittest.TestCase):
    def assert_text_of_program(self, arguments, call):
        """The exception has the text that the program prints after its name."""
        code, _, err = program("run", *arguments)
        self.assertEqual(code, 2)
        with self.assertRaises(tenon.InputError) as raised:
            call()
        self.assertEqual(f"tenon: {raised.exception}\n", err)
        self.assertIsInstance(raised.exception, ValueError)

    def test_errors_have_the_text_of_the_program(self):
        good = SCENES / "bolt-in-plate.json"
        benchmark = SCENES / "insertion-benchmark.json"
        self.assert_text_of_program(["none.json"], lambda: tenon.load("none.json"))
        self.assert_text_of_program([good, "--set", "friction=2"], lambda: tenon.load(good, friction=2))
        self.assert_text_of_program([good, "--set", "frictoin=0"], lambda: tenon.load(good, frictoin=0))
        self.assert_text_of_program(
            [benchmark, "--solver-option", "sweeps=10"],
            lambda: tenon.run(benchmark, solver_options={"sweeps": 10}),
        )
        self.assert_text_of_program(
            [good, "--record", "x.json"], lambda: tenon.run(good, record="x.json")
        )

    def test_bad_numbers_and_types_are_refused(self):
        good = SCENES / "bolt-in-plate.json"
        nan = float("nan")
        for call in [
            lambda: tenon.load(good, friction=nan),
            lambda: tenon.load(good, friction="high"),
            lambda: tenon.load(7),
            lambda: tenon.load("a\0b"),
            lambda: tenon.load(good, {"friction": 0.1}, friction=0.2),
            lambda: tenon.run(good, rate=nan),
            lambda: tenon.run(good, rate=0),
            lambda: tenon.run(good, rate=1e9),
            lambda: tenon.run(good, duration=-1),
            lambda: tenon.run(good, duration=1e9),
            lambda: tenon.run(good, threads=0),
            lambda: tenon.run(good, threads=1.5),
            lambda: tenon.run(good, seed=-1),
            lambda: tenon.run(good, solver="newton"),
            lambda: tenon.run(good, accuracy="rough"),
        ]:
            with self.assertRaises(tenon.InputError):
                call()

    def test_a_result_names_its_fields(self):
        result = tenon.run(SCENES / "bolt-in-plate.json", duration=0.1, rate=100)
        with self.assertRaisesRegex(AttributeError, "state_hash"):
            result.hash  # noqa: B018
        changed = result.to_dict()
        changed["goals"] = []
        self.assertEqual(len(result.goals), 1)


if __name__ == "__main__":
    unittest.main()
