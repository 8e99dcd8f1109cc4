"""Studies of a server: the table of the command, through stops, crashes and restarts."""

import json
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import tenon
from server_process import PROGRAM, SCENES, ServerProcess, server

COUNT = 40
PLAN = {
    "tenon_study": 1,
    "title": "Clearance",
    "scene": str(SCENES / "insertion-benchmark.json"),
    "rate_hz": 200,
    "seed": 5,
    "variables": [{"parameter": "clearance_um", "uniform": [-20, 60]}],
    "design": "latin-hypercube",
    "count": COUNT,
}


class Studies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            plan = Path(folder) / "plan.json"
            plan.write_text(json.dumps(PLAN), encoding="utf-8")

            def run(*arguments):
                return subprocess.run([PROGRAM, "study", *arguments], check=True, capture_output=True, cwd=folder)

            run("plan.json")
            run("report", "plan.study", "--format", "csv")
            cls.table = (Path(folder) / "plan.csv").read_bytes()
        assert cls.table.count(b"\n") == COUNT + 1

    def begun(self, connection):
        """A study with some of its cases computed."""
        study = connection.study(PLAN)
        next(progress for progress in study.watch() if progress["done"] > 0)
        return study

    def test_it_has_the_table_of_the_command(self):
        with server() as running, tempfile.TemporaryDirectory() as folder:
            connection = tenon.connect(running.address)
            study = connection.study(PLAN, threads=2)
            seen = [progress["done"] for progress in study.watch()]
            self.assertEqual((seen, seen[-1]), (sorted(seen), COUNT))
            last = study.progress
            self.assertEqual((last["running"], last["ended"], last["cases"]), (False, "done", COUNT))
            rows = self.table.decode().splitlines()
            successes = sum(",inserted," in row for row in rows)
            self.assertTrue(0 < successes < COUNT, "the plan shall have both outcomes")
            self.assertEqual((last["successes"], last["yield"]), (successes, successes / COUNT))
            self.assertEqual(study.results(), self.table)
            self.assertIn(b"Yield", study.results("html"))
            self.assertEqual(json.loads(study.results("json"))["successes"], successes)
            file = Path(folder) / "results.study"
            file.write_bytes(study.results("study"))
            subprocess.run([PROGRAM, "study", "report", file, "--format", "csv", "--out", f"{file}.csv"], check=True,
                           capture_output=True)
            self.assertEqual(Path(f"{file}.csv").read_bytes(), self.table)
            for call, text in [(study.stop, "does not run"), (study.resume, "is complete")]:
                with self.assertRaisesRegex(tenon.SimulationError, text):
                    call()
            self.assertEqual([s.id for s in connection.studies()], [study.id])
            study.delete()
            self.assertEqual(connection.studies(), [])
            self.assertEqual(list((running.data / "studies").iterdir()), [])
            with self.assertRaisesRegex(tenon.InputError, "is not on this server"):
                study.results()

    def test_a_stopped_one_goes_on(self):
        with server() as running:
            connection = tenon.connect(running.address)
            study = self.begun(connection)
            with self.assertRaisesRegex(tenon.SimulationError, "1 studies run, as many as this server allows"):
                connection.study(PLAN)
            with self.assertRaisesRegex(tenon.SimulationError, "stop it first"):
                study.delete()
            study.stop()
            stopped = study.progress
            self.assertEqual((stopped["running"], stopped["ended"]), (False, "stopped"))
            part = study.results().splitlines()
            self.assertTrue(1 < len(part) < COUNT + 1)
            self.assertEqual(part, self.table.splitlines()[: len(part)])
            tenon.connect(running.address).studies()[0].resume()
            self.assertEqual(study.wait()["ended"], "done")
            self.assertEqual(study.results(), self.table)

    def test_a_crash_of_its_process_loses_nothing_that_is_written(self):
        with server() as running:
            study = self.begun(tenon.connect(running.address))
            (pid,) = running.workers()
            os.kill(pid, signal.SIGKILL)
            self.assertEqual(study.wait()["ended"], "its process has crashed or does not answer")
            study.resume()
            self.assertEqual(study.wait()["ended"], "done")
            self.assertEqual(study.results(), self.table)

    def test_it_goes_on_after_the_server_was_killed_or_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            for end in ("kill", "stop"):
                first = ServerProcess(folder)
                connection = tenon.connect(first.address)
                self.begun(connection)
                if end == "stop":
                    self.assertEqual(first.stop(), 0)
                else:
                    first.process.kill()
                    first.process.wait()
                    first.process.stdout.close()
                    first.log.close()
                    (first.data / "scenes" / "x.1.part").write_text("of a server that was killed")
                    (first.data / "records" / ".copy-abcdef").write_text("of a server that was killed")
                second = ServerProcess(folder)
                left = [path.name for kind in ("scenes", "records") for path in (second.data / kind).iterdir()]
                self.assertEqual([name for name in left if "part" in name or "copy" in name], [])
                (study,) = tenon.connect(second.address).studies()
                self.assertEqual(study.progress["ended"], "the server ended")
                study.resume()
                self.assertEqual(study.wait()["ended"], "done")
                self.assertEqual(study.results(), self.table)
                study.delete()
                self.assertEqual(second.stop(), 0)

    def test_bad_plans_are_refused_with_the_text_of_the_command(self):
        bad = [
            ({"variables": [{"parameter": "magic", "uniform": [0, 1]}]}, "variables/0/parameter"),
            ({"variables": [{"parameter": "clearance_um", "uniform": [0, 1e9]}]}, "variables/0"),
            ({"count": 0}, "count"),
            ({"magic": 1}, "magic"),
        ]
        with server() as running, tempfile.TemporaryDirectory() as folder:
            connection = tenon.connect(running.address)
            for change, place in bad:
                plan = Path(folder) / "plan"
                plan.write_text(json.dumps({**PLAN, **change}), encoding="utf-8")
                printed = subprocess.run([PROGRAM, "study", plan, "--out", f"{folder}/x.study"], capture_output=True, text=True)
                self.assertEqual(printed.returncode, 2, printed.stderr)
                with self.assertRaises(tenon.InputError) as refused:
                    connection.study(plan)
                self.assertIn(place, str(refused.exception))
                command = printed.stderr.strip().removeprefix("tenon: ").replace(f"{folder}/", "")
                self.assertEqual(str(refused.exception), command)
            for plan in ("[1]", "{", "{}"):
                (Path(folder) / "plan").write_text(plan, encoding="utf-8")
                with self.assertRaisesRegex(tenon.InputError, "names no scene"):
                    connection.study(Path(folder) / "plan")
            with self.assertRaisesRegex(tenon.InputError, "cannot be read"):
                connection.study(Path(folder) / "none.json")
            self.assertEqual(connection.studies(), [])
            self.assertEqual(list((running.data / "studies").iterdir()), [])
            study = connection.study({**PLAN, "count": 1})
            study.wait()
            with self.assertRaisesRegex(tenon.InputError, "give html, csv, json or study"):
                study.results("xml")

    def test_it_belongs_to_its_owner(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = Path(folder) / "tokens"
            names = {"ann": "work", "bob": "work", "boss": "administer"}
            tokens.write_text("".join(f"{role} {name} {name}-0123456789abcdef\n" for name, role in names.items()))
            tokens.chmod(0o600)
            with server("--tokens", str(tokens)) as running:
                clients = {name: tenon.connect(running.address, token=f"{name}-0123456789abcdef") for name in names}
                study = clients["ann"].study({**PLAN, "count": 2})
                self.assertEqual(study.wait()["owner"], "ann")
                (others,) = clients["bob"].studies()
                for call, action in [(others.stop, "stop"), (others.resume, "resume"), (others.delete, "delete")]:
                    with self.assertRaisesRegex(tenon.SimulationError, f"belongs to ann; only ann or an administrator may {action} it"):
                        call()
                self.assertEqual(others.results(), study.results())
                clients["boss"].studies()[0].delete()


if __name__ == "__main__":
    unittest.main()
