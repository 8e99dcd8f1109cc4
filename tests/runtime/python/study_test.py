"""tenon.study: the cases and bytes of the command, in this process and on workers of Dask."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import tenon

SOURCES = Path(os.environ["TENON_SOURCE_DIR"])
PROGRAM = os.environ["TENON_PROGRAM"]
COUNT = 21

PLAN = {
    "tenon_study": 1,
    "scene": str(SOURCES / "content" / "scenes" / "insertion-benchmark.json"),
    "design": "sobol",
    "count": COUNT,
    "seed": 3,
    "variables": [
        {"parameter": "clearance_um", "uniform": [-10, 40]},
        {"pointer": "/hands/0/stiffness_n_per_m", "list": [1000, 2000]},
    ],
    "outputs": [
        {"name": "overlap_m", "pointer": "/max_penetration_m"},
        {"name": "scene", "pointer": "/scene"},
        {"name": "absent", "pointer": "/none"},
    ],
}


class Stopped(Exception):
    """Raised by a test's own progress function."""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def by_command(self, format):
        """What the command reports of the plan."""
        plan, results, report = (self.folder / name for name in ("plan.json", "command.study", f"command.{format}"))
        plan.write_text(json.dumps(PLAN))
        for arguments in (["study", plan, "--out", results], ["study", "report", results, "--format", format, "--out", report]):
            subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True)
        return report.read_bytes()

    def refusal(self, *arguments, **options):
        with self.assertRaises(tenon.InputError) as caught:
            tenon.study.run(*arguments, **options)
        return str(caught.exception)


class InThisProcess(Case, unittest.TestCase):
    def test_the_cases_are_those_of_the_command(self):
        seen = []
        results = tenon.study.run(PLAN, out=self.folder / "a.study", threads=2, progress=seen.append)
        self.assertEqual(results.report("csv"), self.by_command("csv"))
        self.assertEqual(seen[-1]["done"], COUNT)
        self.assertEqual(results.plan["count"], COUNT)
        self.assertEqual(results.summary["cases"], COUNT)
        cases = results.cases
        self.assertEqual(cases["case"].tolist(), list(range(COUNT)))
        self.assertEqual(results.summary["successes"], int(cases["success"].sum()))
        self.assertTrue(0 < results.summary["successes"] < COUNT)
        self.assertEqual(set(cases["verdict"][cases["success"]]), {"inserted"})
        np.testing.assert_array_less(cases["overlap_m"], 2e-9)
        self.assertEqual(set(cases["scene"]), {'"insertion-benchmark"'})
        self.assertTrue(np.isnan(cases["absent"]).all())
        self.assertIn(f"{COUNT} of {COUNT} cases", repr(results))

    def test_stopped_it_goes_on(self):
        def stop(progress):
            if progress["done"] > 0:
                raise Stopped

        file = self.folder / "a.study"
        with self.assertRaises(Stopped):
            tenon.study.run(PLAN, out=file, threads=1, progress=stop)
        self.assertLess(len(tenon.study.open(file).cases), COUNT)
        self.assertEqual(tenon.study.run(PLAN, out=file).report("csv"), self.by_command("csv"))

    def test_without_cases_the_table_is_empty(self):
        def stop(progress):
            raise Stopped

        with self.assertRaises(Stopped):
            tenon.study.run(PLAN, out=self.folder / "a.study", threads=1, progress=stop)
        cases = tenon.study.open(self.folder / "a.study").cases
        self.assertEqual(cases[cases["success"]].size, int(cases["success"].sum()))

    def test_mistakes_are_named(self):
        out = self.folder / "a.study"
        self.assertIn("none.json", self.refusal(self.folder / "none.json", out=out))
        self.assertIn("/count", self.refusal({**PLAN, "count": -1}, out=out))
        self.assertIn("shards", self.refusal(PLAN, out=out, shards=2))
        self.assertIn("threads", self.refusal(PLAN, out=out, threads=-1))
        self.assertFalse(out.exists())
        tenon.study.run({**PLAN, "count": 1}, out=out)
        self.assertIn("count", self.refusal(PLAN, out=out))
        with self.assertRaises(tenon.InputError):
            tenon.study.open(self.folder / "none.study")
        with self.assertRaisesRegex(tenon.InputError, "choose html, csv or json"):
            tenon.study.open(out).report("pdf")

    def test_without_dask_the_package_is_named(self):
        sys.modules["distributed"] = None
        self.addCleanup(sys.modules.pop, "distributed")
        with self.assertRaisesRegex(tenon.MissingComponent, "apt-get install python3-distributed"):
            tenon.study.run(PLAN, object(), out=self.folder / "a.study")


@unittest.skipUnless(importlib.util.find_spec("distributed"), "Dask is not here; apt-get install python3-distributed")
class OnDask(Case, unittest.TestCase):
    """Two worker processes, which have the package and nothing else."""

    @classmethod
    def setUpClass(cls):
        from distributed import Client, LocalCluster

        cls.cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
        cls.client = Client(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def test_any_number_of_shards_gives_the_same_bytes(self):
        expected = {format: self.by_command(format) for format in ("csv", "json")}
        for shards in (1, 2, 7):
            seen = []
            results = tenon.study.run(
                PLAN, self.client, out=self.folder / f"{shards}.study", shards=shards, progress=seen.append
            )
            for format, bytes in expected.items():
                self.assertEqual(results.report(format), bytes, f"{shards} shards")
            self.assertEqual(seen[-1], {"cases": COUNT, "done": COUNT})
            self.assertFalse((self.folder / f"{shards}.study.parts").exists())

    def test_the_shard_of_a_worker_that_dies_runs_again(self):
        killed = []

        def kill_one(progress):
            if not killed:
                killed.extend(self.client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

        results = tenon.study.run(PLAN, self.client, out=self.folder / "a.study", shards=7, progress=kill_one)
        self.assertTrue(killed)
        self.assertEqual(results.report("csv"), self.by_command("csv"))

    def test_stopped_it_goes_on_with_the_parts_that_it_has(self):
        def stop(progress):
            raise Stopped

        out = self.folder / "a.study"
        with self.assertRaises(Stopped):
            tenon.study.run(PLAN, self.client, out=out, shards=3, progress=stop)
        self.assertFalse(out.exists())
        parts = list((self.folder / "a.study.parts").glob("*-of-3.study"))
        self.assertEqual(len(parts), 1)
        self.assertIn("3 shards", self.refusal(PLAN, self.client, out=out, shards=2))
        seen = []
        results = tenon.study.run(PLAN, self.client, out=out, progress=seen.append)
        self.assertEqual([one["done"] for one in seen], [14, 21])
        self.assertEqual(results.report("csv"), self.by_command("csv"))

    def test_parts_of_another_plan_are_refused_before_anything_runs(self):
        out, parts = self.folder / "a.study", self.folder / "a.study.parts"
        parts.mkdir()
        tenon.study.run({**PLAN, "count": 1}, out=self.folder / "other.study")
        for index in (1, 2):
            (parts / f"{index}-of-2.study").write_bytes((self.folder / "other.study").read_bytes())
        self.assertIn("1-of-2.study", self.refusal(PLAN, self.client, out=out))
        self.assertFalse(out.exists())

    def test_workers_in_another_folder_take_the_scene_that_is_named_here(self):
        def back(folder=os.getcwd()):
            os.chdir(folder)

        self.addCleanup(back)
        self.addCleanup(self.client.run, back)
        self.client.run(os.chdir, "/")
        os.chdir(self.folder)
        (self.folder / "scene.json").write_text(Path(PLAN["scene"]).read_text())
        results = tenon.study.run({**PLAN, "scene": "scene.json"}, self.client, out="a.study", shards=2)
        self.assertEqual(results.summary["cases"], COUNT)

    def test_a_worker_with_another_program_is_refused(self):
        content = tenon._tenon.Study.load(json.dumps(PLAN), "plan").content()
        for part in range(3):
            identity = list(content[4])
            identity[part] = "another"
            shard = self.client.submit(tenon.study._shard, (*content[:4], identity), 0, 7, pure=False)
            with self.assertRaisesRegex(tenon.InputError, "another tenon .*another, here .*install the same one"):
                shard.result()

    def test_a_scene_that_changes_meanwhile_is_not_merged(self):
        scene = self.folder / "scene.json"
        scene.write_text(Path(PLAN["scene"]).read_text())
        out = self.folder / "a.study"

        def change(progress):
            scene.write_text(scene.read_text() + " ")

        self.assertIn("has changed", self.refusal({**PLAN, "scene": str(scene)}, self.client, out=out, shards=2, progress=change))
        self.assertFalse(out.exists())

    def test_mistakes_are_named(self):
        out = self.folder / "a.study"
        self.assertIn("/scene", self.refusal({**PLAN, "scene": 1}, self.client, out=out))
        self.assertIn("shards", self.refusal(PLAN, self.client, out=out, shards=0))
        with self.assertRaises(TypeError):
            tenon.study.run(PLAN, "tcp://127.0.0.1:8786", out=out)
        self.assertFalse(Path(f"{out}.parts").exists())
        out.write_bytes(b"")
        self.assertIn("exists", self.refusal(PLAN, self.client, out=out))


if __name__ == "__main__":
    unittest.main()
