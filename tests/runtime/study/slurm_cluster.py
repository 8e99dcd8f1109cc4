"""A Slurm cluster of two nodes on this machine, in a folder of its own: munged, slurmctld, two slurmd."""

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo", "setpriv")
PATHS = f"{os.environ['PATH']}:/usr/sbin:/sbin"
WAIT_S = 120  # a limit for what takes seconds

CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
MpiDefault=none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=10
"""


def wait_until(is_done, what):
    """The first true value of `is_done()`."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if value := is_done():
            return value
        time.sleep(0.1)
    raise AssertionError(f"{what} takes more than {WAIT_S} s")


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class SlurmCluster:
    """Started by the constructor; `environment` is that of Slurm's commands."""

    def __init__(self):
        missing = [name for name in PROGRAMS if not shutil.which(name, path=PATHS)]
        if missing:
            raise unittest.SkipTest(f"Slurm is not installed: no {', '.join(missing)}; install slurm-wlm and munge")
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        self.processes = []
        (self.folder / "state").mkdir()
        for node in ("n1", "n2"):
            (self.folder / f"spool.{node}").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        controller, first, second = free_ports(3)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(
            CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=self.folder,
                                 controller=controller, first=first, second=second),
            encoding="utf-8")
        self.environment = {**os.environ, "PATH": PATHS, "SLURM_CONF": str(configuration)}
        try:
            munge = {name: f"--{name}={self.folder}/munge.{name.split('-')[0]}"
                     for name in ("key-file", "socket", "pid-file", "log-file", "seed-file")}
            self.start("munged", "--foreground", "--force", *munge.values())
            self.start("slurmctld", "-D")
            for node in ("n1", "n2"):
                self.start("slurmd", "-D", "-N", node)
            wait_until(lambda: self.command("sinfo", "-h", "-t", "idle", "-o", "%D") == "2", "the start of Slurm")
        except AssertionError as error:
            logs = [f"{log.name}: {log.read_text(errors='replace')[-500:]}" for log in self.folder.glob("*.log")]
            self.stop()
            raise unittest.SkipTest(f"Slurm could not be started: {error}; {logs}") from error

    def start(self, *command):
        """Starts a daemon that ends with this process, however that ends."""
        log = open(self.folder / f"{len(self.processes)}.{command[0]}.log", "w", encoding="utf-8")
        with log:
            self.processes.append(subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                                   stderr=log))

    def command(self, *arguments):
        """What a command of Slurm prints; "" if it fails."""
        return subprocess.run(arguments, env=self.environment, capture_output=True, text=True).stdout.strip()

    def job(self, number):
        """Fields of a job, such as JobState and Restarts."""
        text = self.command("scontrol", "show", "job", str(number), "-o").splitlines()
        return dict(field.split("=", 1) for field in text[0].split() if "=" in field) if text else {}

    def wait(self, number):
        """Waits for a job's end, and returns its state and exit code."""
        wait_until(lambda: self.job(number).get("JobState") in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"),
                   f"job {number}, {self.command('squeue')},")
        job = self.job(number)
        return job["JobState"], job["ExitCode"]

    def stop(self):
        self.command("scancel", "--user", getpass.getuser())
        wait_until(lambda: not self.command("squeue", "-h"), "the end of the jobs")
        for process in reversed(self.processes):
            process.terminate()
            process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)
