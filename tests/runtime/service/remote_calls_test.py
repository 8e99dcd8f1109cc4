"""Calls of tenon.connect() beyond those of a local simulation: streams, undo, reports, images, problems."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

import tenon
from server_process import PROGRAM, SCENES, server


class Streams(unittest.TestCase):
    def test_hands_are_moved_by_one_client_and_watched_by_another(self):
        with server() as running:
            scene = tenon.load(SCENES / "bolt-in-plate.json")
            connection = tenon.connect(running.address)
            with connection.simulation(scene, scripted=False) as remote:
                start = remote.state.part("screw")["position"].copy()
                remote.play()
                with remote.hands(["right"]) as hands:
                    with self.assertRaisesRegex(tenon.SimulationError, "belongs to another client"):
                        remote.hands(["right"])
                    hands.move("right", start, closed=False)
                    hands.move("right", start, closed=True, part="screw")
                    held = next(s for s in remote.watch(60) if s.hands["part"][0] == scene.part_index("screw"))
                    hands.move("right", start + [0, 0, 0.02], part="screw", duration=0.1)
                    lifted = next(s for s in remote.watch(60) if s.part("screw")["position"][2] > start[2] + 0.019)
                    self.assertGreater(lifted.step, held.step)
                    with self.assertRaises(tenon.InputError):
                        hands.move("right", [0, 0, float("nan")])
                    with self.assertRaises(tenon.InputError):
                        hands.move("none", [0, 0, 0])
                with self.assertRaisesRegex(tenon.SimulationError, "free again"):
                    hands.move("right", start)
                # The hand is free, and holds on.
                self.assertEqual(remote.state.hands["part"][0], scene.part_index("screw"))
                with remote.hands([0]) as hands:
                    hands.move(0, start + [0, 0, 0.02], closed=False)
                    next(s for s in remote.watch(60) if s.hands["part"][0] == -1)

    def test_a_watch_ends_with_its_session(self):
        with server() as running:
            connection = tenon.connect(running.address)
            remote = connection.simulation(SCENES / "stack.json")
            remote.play()
            states = remote.watch(120)
            self.assertGreaterEqual(next(states).step, 0)
            with self.assertRaises(tenon.InputError):
                next(remote.watch(1e6))
            remote.close()
            steps = [state.step for state in states]
            self.assertEqual(steps, sorted(steps))

    def test_undo_redo_solver_and_rate(self):
        with server() as running:
            scene = tenon.load(SCENES / "bolt-in-plate.json")
            connection = tenon.connect(running.address)
            with connection.simulation(scene, scripted=False, record=True) as remote:
                remote.step(10)
                before = remote.state_hash
                start = remote.state.part("screw")["position"].copy()
                remote.apply(tenon.Grasp("right", "screw", start))
                remote.step(5)
                remote.apply(tenon.Release("right"))
                remote.step(5)
                after = remote.state_hash
                remote.undo()
                self.assertEqual(remote.state_hash, before)
                remote.redo()
                self.assertEqual(remote.state_hash, after)
                with self.assertRaisesRegex(tenon.SimulationError, "nothing to redo"):
                    remote.redo()
                remote.set_solver("fischer-newton")
                remote.set_rate(400)
                self.assertEqual(remote.dt, 1 / 400)
                remote.step(5)
                with self.assertRaises(tenon.InputError):
                    remote.set_rate(1e9)
            self.assertTrue(connection.verify(remote.record))


class Joined(unittest.TestCase):
    def test_two_clients_share_a_session(self):
        with server() as running:
            scene = tenon.load(SCENES / "bolt-in-plate.json", hole_diameter_mm=8.4)
            first, second = tenon.connect(running.address), tenon.connect(running.address)
            remote = first.simulation(scene, rate=200, record=True)
            remote.step(100)
            joined = second.join(remote.id)
            self.assertEqual(joined.scene.parameters, scene.parameters)
            self.assertEqual(joined.state_hash, remote.state_hash)
            joined.step(100)
            self.assertEqual(remote.steps, 200)
            joined.close()
            with self.assertRaisesRegex(tenon.SimulationError, "is closed"):
                joined.step()
            remote.step(10)  # goes on
            self.assertTrue(second.close_session(remote.id))
            with self.assertRaisesRegex(tenon.SimulationError, "has ended: closed"):
                remote.step()
            self.assertTrue(first.verify(remote.record))
            for bad, text in [(remote.id, "has ended"), ("0" * 16, "is not a session"), ("", "is not a session")]:
                with self.assertRaisesRegex(tenon.InputError, f"^session: {bad}.*{text}"):
                    second.join(bad)
            with self.assertRaises(tenon.InputError):
                second.close_session("0" * 16)


class Silence(unittest.TestCase):
    def test_a_server_that_does_not_answer_ends_calls(self):
        with server() as running:
            remote = tenon.connect(running.address).simulation(SCENES / "stack.json")
            states = remote.watch()
            next(states)
            running.process.send_signal(signal.SIGSTOP)
            try:
                with self.assertRaises(tenon.SimulationError):  # without a limit this waits forever
                    for _ in states:
                        pass
                # Longer than any end of a connection waits for an answer, so that the session's process would notice, too.
                time.sleep(6)
            finally:
                running.process.send_signal(signal.SIGCONT)
            again = tenon.connect(running.address).join(remote.id)
            again.step(3)
            self.assertEqual(again.steps, 3)


class Jobs(unittest.TestCase):
    def test_problems_are_solved_as_by_the_command(self):
        file = Path(os.environ["TENON_SOURCE_DIR"]) / "tests" / "data" / "table.json"
        printed = subprocess.run([PROGRAM, "solve", file, "--solver", "all", "--json"], capture_output=True, text=True)
        with server() as running:
            connection = tenon.connect(running.address)
            problem = json.loads(file.read_text())
            solutions = connection.solve(problem, "all")
            for mine, its in zip(solutions, json.loads(printed.stdout), strict=True):
                for key in ("solver", "status", "iterations", "f", "w"):
                    self.assertEqual(mine[key], its[key], mine["solver"])
            for bad, text in [({"A": [[1]]}, "/b"), ({"A": [[1, 2]], "b": [1]}, "A")]:
                with self.assertRaisesRegex(tenon.InputError, text):
                    connection.solve(bad)
            with self.assertRaisesRegex(tenon.InputError, "is not a solver of problems"):
                connection.solve(problem, "magic")
            self.assertEqual(running.workers(), [])

    def test_scenes_are_listed_checked_and_drawn(self):
        with server() as running:
            connection = tenon.connect(running.address)
            scene = connection.upload(SCENES / "insertion-benchmark.json")
            (listed,) = connection.scenes()
            self.assertEqual((listed["id"], listed["name"]), (scene, "insertion-benchmark.json"))
            printed = subprocess.run(
                [PROGRAM, "check", SCENES / "insertion-benchmark.json", "--set", "clearance_um=20", "--json"],
                capture_output=True, text=True)
            mine, its = connection.check(scene, clearance_um=20), json.loads(printed.stdout)
            self.assertEqual(Path(its.pop("scene_file")).name, mine.pop("scene_file"))
            self.assertEqual(mine, its)
            rendered = subprocess.run(
                [PROGRAM, "render", SCENES / "insertion-benchmark.json", "--out", running.folder / "a.png",
                 "--size", "320x240", "--set", "clearance_um=20"], capture_output=True, text=True)
            if rendered.returncode == 3:  # no Vulkan device
                with self.assertRaisesRegex(tenon.SimulationError, "the server cannot draw"):
                    connection.thumbnail(scene, clearance_um=20)
            else:
                self.assertEqual(connection.thumbnail(scene, clearance_um=20),
                                 (running.folder / "a.png").read_bytes())
            with self.assertRaises(tenon.InputError):
                connection.thumbnail(scene, view="nowhere")
            with self.assertRaisesRegex(tenon.InputError, "size"):
                connection.thumbnail(scene, (1, 1))

    def test_a_server_without_a_vulkan_device_says_so(self):
        # A loader without drivers: as on a machine without a device.
        variables = {"VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"}
        with unittest.mock.patch.dict(os.environ, variables), server() as running:
            connection = tenon.connect(running.address)
            scene = connection.upload(SCENES / "stack.json")
            with self.assertRaisesRegex(tenon.SimulationError, "the server cannot draw: .+"):
                connection.thumbnail(scene)

    def test_a_report_is_that_of_the_command(self):
        with server() as running, tempfile.TemporaryDirectory() as folder:
            connection = tenon.connect(running.address)
            with connection.simulation(SCENES / "bolt-in-plate.json", rate=200, record=True) as remote:
                remote.step(840)
            connection.download(remote.record, Path(folder) / "s.tenon")
            subprocess.run([PROGRAM, "export", Path(folder) / "s.tenon", "--format", "html", "--out",
                            Path(folder) / "s.html"], check=True, capture_output=True)
            report = connection.report(remote.record)
            self.assertIn(b"inserted", report)

            def operations(page):
                return page.split(b"id='operations'")[1].split(b"</script>")[0]

            self.assertEqual(operations(report), operations((Path(folder) / "s.html").read_bytes()))
            with self.assertRaises(tenon.InputError):
                connection.report("0" * 16)


if __name__ == "__main__":
    unittest.main()
