"""Studies on Slurm: any number of shards, killed or requeued, gives the table of one process."""

import json
import os
import signal
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

from slurm_cluster import SlurmCluster, wait_until

PROGRAM = os.environ["TENON_PROGRAM"]
SCENE = Path(os.environ["TENON_SOURCE_DIR"]) / "content" / "scenes" / "insertion-benchmark.json"
COUNT = 20
PLAN = {
    "tenon_study": 1,
    "scene": str(SCENE),
    "rate_hz": 200,
    "seed": 3,
    "variables": [{"parameter": "clearance_um", "uniform": [-20, 60]}, {"parameter": "offset_mm", "uniform": [0, 2]}],
    "outputs": [{"name": "overlap_m", "pointer": "/max_penetration_m"}],
    "design": "sobol",
    "count": COUNT,
}
LONG = {"count": 160, "rate_hz": 1000}  # takes seconds


def tables(folder, results):
    """The CSV and JSON reports of a results file."""
    reports = []
    for kind in ("csv", "json"):
        subprocess.run([PROGRAM, "study", "report", results, "--format", kind, "--out", f"report.{kind}", "--force"],
                       check=True, capture_output=True, cwd=folder)
        reports.append((Path(folder) / f"report.{kind}").read_bytes())
    return reports


def rows(file):
    """Number of cases in a results file; 0 before it exists."""
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM result").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = SlurmCluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.known = {}

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, **changes):
        (self.folder / "my plan's.json").write_text(json.dumps({**PLAN, **changes}), encoding="utf-8")

    def alone(self):
        """The tables of the plan by one process."""
        plan = self.folder / "my plan's.json"
        key = plan.read_text(encoding="utf-8")
        if key not in self.known:
            subprocess.run([PROGRAM, "study", plan, "--out", "alone"], check=True, capture_output=True, cwd=self.folder)
            self.known[key] = tables(self.folder, "alone")
        return self.known[key]

    def slurm(self, nodes, *options, environment=None):
        return subprocess.run([PROGRAM, "study", "slurm", "my plan's.json", "--nodes", str(nodes), *options],
                              env=environment or self.cluster.environment, capture_output=True, text=True,
                              cwd=self.folder)

    def submit(self, nodes, *options):
        """Numbers of the array and of the merge."""
        result = self.slurm(nodes, "--submit", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        array, merge = result.stdout.splitlines()
        self.assertRegex(array, rf"^job \d+: {nodes} shards$")
        self.assertRegex(merge, r"^job \d+: joins them into my plan's\.study$")
        return [line.split()[1].rstrip(":") for line in (array, merge)]

    def merged(self, merge):
        """The tables after the merge, which must find all cases."""
        self.assertEqual(self.cluster.wait(merge), ("COMPLETED", "0:0"), self.logs())
        return tables(self.folder, "my plan's.study")

    def logs(self):
        return {log.name: log.read_text() for log in self.folder.glob("slurm-*.out")}

    def test_any_number_of_shards_gives_the_table_of_one_process(self):
        self.write()
        alone = self.alone()
        self.assertEqual(alone[0].count(b"\n"), COUNT + 1)
        self.assertEqual(len(json.loads(alone[1])["results"]), COUNT)
        for nodes in (1, 2, 7):
            # Of a plan whose name begins alike.
            (self.folder / f"my plan's.v2.1-of-{nodes}.study").write_bytes(b"another")
            _, merge = self.submit(nodes, "--force")
            self.assertEqual(self.merged(merge), alone, nodes)
            self.assertEqual([rows(self.folder / f"my plan's.{k + 1}-of-{nodes}.study") for k in range(nodes)],
                             [len(range(k, COUNT, nodes)) for k in range(nodes)])
        # Given again, there is nothing to run; only the merge runs again.
        _, merge = self.submit(7)
        self.assertEqual(self.merged(merge), alone)

    def test_a_task_that_is_killed_or_requeued_goes_on(self):
        self.write(**LONG)
        array, merge = self.submit(2)
        parts = [self.folder / f"my plan's.{k}-of-2.study" for k in (1, 2)]
        wait_until(lambda: all(rows(part) > 0 for part in parts), "the first cases")
        self.cluster.command("scontrol", "requeue", f"{array}_1")
        found = subprocess.run(["pgrep", "-f", "--", "--shard 2/2 --out ./my plan's.2-of-2"], capture_output=True,
                               text=True).stdout.split()
        self.assertEqual(len(found), 1)
        os.kill(int(found[0]), signal.SIGKILL)
        wait_until(lambda: all(self.cluster.job(f"{array}_{k}").get("Restarts") == "1" for k in (1, 2)), "requeueing")
        before = [rows(part) for part in parts]
        self.assertTrue(all(0 < count < LONG["count"] / 2 for count in before), before)
        table = self.merged(merge)
        self.assertEqual(table, self.alone())

    def test_a_cancelled_task_is_reported_and_run_by_the_same_command(self):
        self.write(**LONG)
        array, merge = self.submit(2)
        wait_until(lambda: rows(self.folder / "my plan's.1-of-2.study") > 0, "the first cases")
        self.cluster.command("scancel", "--signal=KILL", f"{array}_1")
        self.assertEqual(self.cluster.wait(merge), ("FAILED", "1:0"), self.logs())
        missing = (self.folder / f"slurm-{merge}.out").read_text()
        self.assertRegex(missing, r"missing: \d+ cases, first")
        kept = rows(self.folder / "my plan's.1-of-2.study")
        self.assertIn(f"{kept + 80} of 160 cases", missing)
        _, merge = self.submit(2)
        self.assertEqual(self.merged(merge), self.alone())

    def test_without_slurm_it_says_what_to_install(self):
        self.write()
        nothing = {**os.environ, "PATH": str(self.folder)}
        result = self.slurm(2, "--submit", environment=nothing)
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("--submit: sbatch was not found; install slurm-client", result.stderr)
        broken = self.folder / "broken.conf"
        text = (self.cluster.folder / "slurm.conf").read_text()
        broken.write_text(text.replace("SlurmctldPort=", "SlurmctldPort=1 #").replace("ReturnToService", "MessageTimeout=2\nReturnToService"))
        result = self.slurm(2, "--submit", environment={**self.cluster.environment, "SLURM_CONF": str(broken)})
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr.splitlines()[-1], "Slurm refused the job: .*; see sinfo")

    def test_a_changed_plan_is_refused_before_anything_is_submitted(self):
        self.write()
        subprocess.run([PROGRAM, "study", "my plan's.json", "--shard", "2/2", "--out", "my plan's.2-of-2.study"],
                       check=True, capture_output=True, cwd=self.folder)
        self.write(seed=4)
        result = self.slurm(2, "--submit")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/seed: has changed since my plan's.2-of-2.study was begun", result.stderr)
        self.assertEqual(self.cluster.command("squeue", "-h"), "")
        (self.folder / "my plan's.sbatch").write_text("mine")
        self.assertIn("exists with other content", self.slurm(2).stderr)
        self.assertEqual((self.folder / "my plan's.sbatch").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
