#!/usr/bin/env python3
"""A server under violence and over hours.

Usage: PYTHONPATH=build/release/python python3 tests/bench/service/endurance.py kills [--count N] [--seed N]
       PYTHONPATH=build/release/python python3 tests/bench/service/endurance.py churn [--sessions N | --minutes M] [--pause S]

`kills` ends workers and clients by SIGKILL, each at a random moment of a session that plays, follows a hand and
records. The server must go on, the record of each session must verify, and a session beside them must have the
states of a local simulation.

`churn` opens and closes sessions, with streams, snapshots, records and scenes of other parameters, and samples the
memory and open files of the server. Memory is flat if the median of the last quarter is at most 2 % above that of the second; the first quarter warms up.
"""

import argparse
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tenon

ROOT = Path(__file__).resolve().parents[3]
SCENE = ROOT / "content" / "scenes" / "four-bolts.json"
MAX_GROWTH = 1.02
MIN_SESSIONS = 1000  # before that the allocator still grows

# The client that is killed, or whose worker is: its hand takes a bolt and moves without end.
CLIENT = """
import sys, tenon
connection = tenon.connect(sys.argv[1])
simulation = connection.simulation(sys.argv[2], rate=500, record=True, scripted=False)
screw = next(name for name in simulation.scene.parts if name.startswith("screw"))
start = simulation.state.part(screw)["position"].copy()
try:
    with simulation.hands(["right"]) as hands:
        simulation.play()
        print(simulation.id, flush=True)
        for k, _ in enumerate(simulation.watch(200)):
            hands.move("right", start + [0, 0, 0.0001 * (k % 100)], part=screw)
except tenon.SimulationError as error:
    print("ended:", error, flush=True)
"""


class Server:
    """`tenon serve` on a Unix socket in a folder of its own."""

    def __init__(self, program, folder):
        self.folder = folder
        self.log = open(folder / "log", "w", encoding="utf-8")
        command = [program, "serve", "--listen", f"unix:{folder}/socket", "--data", folder / "data"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("tenon serves on "):
            sys.exit(f"no server: {(folder / 'log').read_text(encoding='utf-8')}")
        self.address = line.removeprefix("tenon serves on ").strip()

    def workers(self):
        """Process ids of its sessions."""
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True)
        return {int(pid) for pid in found.stdout.split()}

    def memory(self):
        """Bytes that only the server's own process uses."""
        lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        sizes = {line.split()[0]: int(line.split()[1]) for line in lines[1:]}
        return 1024 * (sizes["Private_Clean:"] + sizes["Private_Dirty:"])

    def open_files(self):
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())

    def stop(self):
        """Must end with success."""
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(60) != 0:
            sys.exit(f"the server ended with {self.process.returncode}")


def require(condition, text):
    if not condition:
        sys.exit(text)


def is_running(connection, session):
    (found,) = [s for s in connection.sessions() if s["id"] == session]
    return found["running"]


def kill_once(server, connection, kind, wait, bystanders):
    """Kills a client or its worker `wait` seconds after its session plays; returns the record's verified steps."""
    client = subprocess.Popen([sys.executable, "-c", CLIENT, server.address, SCENE], stdout=subprocess.PIPE, text=True)
    session = client.stdout.readline().strip()
    require(len(session) == 16, f"no session: {session!r}")
    time.sleep(wait)
    if kind == "worker":
        workers = server.workers() - bystanders
        require(len(workers) == 1, f"one session has {len(workers)} workers")
        subprocess.run(["kill", "-KILL", str(workers.pop())], check=True)
        text = client.stdout.read()
        client.wait()
        require(text.startswith(f"ended: the session {session} has ended: its process was ended by signal 9"), text)
        require(not is_running(connection, session), f"{session} has no process and runs")
    else:
        client.kill()
        client.wait()
        require(is_running(connection, session), f"{session} ended with its client")
        require(connection.close_session(session), f"the record of {session} is not complete")
    require(connection.verify(session), f"the record of {session} does not verify")
    with tempfile.TemporaryDirectory() as folder:
        connection.download(session, Path(folder) / "record.tenon")
        steps = tenon.open(Path(folder) / "record.tenon").steps
    connection.delete_record(session)
    return steps


def kills(server, options):
    connection = tenon.connect(server.address)
    chance = random.Random(options.seed)
    beside = connection.simulation(SCENE, rate=500)
    bystanders = server.workers()
    killed = {"client": 0, "worker": 0}
    steps = []
    for k in range(options.count):
        kind = chance.choice(["client", "worker"]) if k > 1 else ["client", "worker"][k]
        steps.append(kill_once(server, connection, kind, chance.uniform(0, 0.4), bystanders))
        killed[kind] += 1
        beside.step(4)
    local = tenon.Simulation(tenon.load(SCENE), rate=500)
    local.step(4 * options.count)
    require(beside.state_hash == local.state_hash, "the session beside has other states than a local simulation")
    beside.close()
    print(f"killed {killed['client']} clients and {killed['worker']} workers; all {len(steps)} records verify, "
          f"with {min(steps)} to {max(steps)} steps")
    print(f"a session beside them has the {4 * options.count} states of a local simulation")


def come_and_go(connection, folder, chance, k):
    """One session from upload to deletion."""
    scene = tenon.load(ROOT / "content" / "scenes" / "bolt-in-plate.json", hole_diameter_mm=8.1 + 0.1 * chance.randrange(6))
    with connection.simulation(scene, rate=500, record=k % 2 == 0) as simulation:
        simulation.step(chance.randrange(1, 200))
        snapshot = simulation.snapshot()
        simulation.apply(tenon.SetDynamics(gravity=[0, 0, -9]))
        simulation.step(5)
        simulation.restore(snapshot)
        states = simulation.watch(100)
        simulation.play()
        for _ in range(5):
            next(states)
        record = simulation.record
    if record:
        connection.download(record, folder / "record.tenon", force=True)
        connection.delete_record(record)


def churn(server, options):
    chance = random.Random(options.seed)
    start = time.monotonic()
    samples = []
    done = 0

    def goes_on():
        if options.minutes:
            return time.monotonic() - start < 60 * options.minutes
        return done < options.sessions

    while goes_on():
        connection = tenon.connect(server.address)
        come_and_go(connection, server.folder, chance, done)
        done += 1
        time.sleep(options.pause)
        samples.append((server.memory(), server.open_files()))
        if done % 500 == 0:
            print(f"{done} sessions, {samples[-1][0] / 1e6:.2f} MB, {samples[-1][1]} files", flush=True)
    quarter = len(samples) // 4
    early = statistics.median(s[0] for s in samples[quarter : 2 * quarter])
    late = statistics.median(s[0] for s in samples[-quarter:])
    print(f"{done} sessions in {(time.monotonic() - start) / 60:.1f} min; memory of the server {early / 1e6:.2f} MB in the "
          f"second quarter, {late / 1e6:.2f} MB in the last: ratio {late / early:.4f}; "
          f"{samples[quarter][1]} and {samples[-1][1]} open files")
    if done < MIN_SESSIONS:
        print(f"fewer than {MIN_SESSIONS} sessions: growth is not judged")
        return
    require(late <= MAX_GROWTH * early, f"memory grows by more than {MAX_GROWTH - 1:.0%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "build" / "release" / "tenon")
    parser.add_argument("--seed", type=int, default=1)
    modes = parser.add_subparsers(dest="mode", required=True)
    modes.add_parser("kills").add_argument("--count", type=int, default=200)
    mode = modes.add_parser("churn")
    mode.add_argument("--sessions", type=int, default=1000)
    mode.add_argument("--minutes", type=float)
    mode.add_argument("--pause", type=float, default=0, help="seconds between two sessions")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.program, Path(folder))
        try:
            {"kills": kills, "churn": churn}[options.mode](server, options)
            server.stop()
        finally:
            server.process.kill()


if __name__ == "__main__":
    main()
