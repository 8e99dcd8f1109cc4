"""tenon.connect(): sessions of a server have the bytes, errors and records of local ones."""

import json
import os
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np
import tenon
from server_process import PROGRAM, SCENES, ServerProcess, refusal, server


def mesh_scene(folder):
    """A cube of an OBJ file in a folder below, on the floor."""
    (folder / "parts").mkdir()
    corners = [(x, y, z) for x in (0, 10) for y in (0, 10) for z in (0, 10)]
    faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {face}" for face in faces]
    (folder / "parts" / "cube.obj").write_text("\n".join(lines) + "\n")
    shape = {"kind": "mesh", "file": "parts/cube.obj", "unit": "mm"}
    scene = {
        "tenon": 1,
        "title": "A cube",
        "duration_s": 1,
        "unit": "mm",
        "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
        "parts": [
            {"name": "floor", "motion": "fixed", "shape": {"kind": "half_space"}},
            {"name": "cube", "material": "steel", "shape": shape, "position": [0, 0, 1]},
        ],
    }
    (folder / "cube.json").write_text(json.dumps(scene))
    return folder / "cube.json"


def is_running(pid):
    """Whether a process exists and is no zombie."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


class Hashes(unittest.TestCase):
    def test_a_remote_session_has_the_states_of_run_and_of_a_simulation(self):
        with server() as running:
            connection = tenon.connect(running.address)
            for name, steps in [("bolt-in-plate", 840), ("hinge", 100)]:
                scene = tenon.load(SCENES / f"{name}.json")
                printed = subprocess.run(
                    [PROGRAM, "run", scene.file, "--json", "--rate", "200", "--duration", str(steps / 200)],
                    capture_output=True,
                    text=True,
                )
                local = tenon.Simulation(scene, rate=200)
                local.step(steps)
                with connection.simulation(scene, rate=200) as remote:
                    remote.step(1)
                    remote.step(steps - 1)
                    self.assertEqual(remote.state_hash, json.loads(printed.stdout)["state_hash"])
                    self.assertEqual(remote.state_hash, local.state_hash)
                    self.assertEqual((remote.steps, remote.time, remote.dt), (steps, local.time, local.dt))
                    for table in ("parts", "contacts", "hands", "joints", "goals"):
                        np.testing.assert_array_equal(
                            getattr(remote.state, table), getattr(local.state, table), table
                        )

    def test_commands_snapshots_and_resets_have_the_bytes_of_a_simulation(self):
        def drive(simulation):
            start = simulation.state.part("screw")["position"].copy()
            hashes = []
            simulation.apply(tenon.Grasp("right", "screw", start), tenon.SetDynamics(gravity=[0, 0, -3]))
            for k in range(1, 41):
                simulation.apply(tenon.MoveHand("right", start + [0, 0, 0.0005 * k]))
                simulation.step()
            before = simulation.snapshot()
            for _ in range(2):
                simulation.restore(before)
                simulation.apply(tenon.Release("right"))
                simulation.step(30)
                hashes.append(simulation.state_hash)
            simulation.reset()
            hashes.append(simulation.state_hash)
            simulation.apply(tenon.SetPose("screw", start + [0, 0, 0.02]))
            simulation.step(10)
            return [*hashes, simulation.state_hash, simulation.hand_target("right")[0].tolist()]

        scene = tenon.load(SCENES / "bolt-in-plate.json")
        expected = drive(tenon.Simulation(scene, rate=200, scripted=False))
        self.assertEqual(expected[0], expected[1])
        with server() as running:
            connection = tenon.connect(running.address)
            with connection.simulation(scene, rate=200, scripted=False, record=True) as remote:
                self.assertEqual(drive(remote), expected)
            self.assertTrue(connection.verify(remote.record))

    def test_parameters_and_meshes_reach_the_server(self):
        scene = tenon.load(SCENES / "insertion-benchmark.json", clearance_um=20, tilt_deg=0.5)
        with server() as running, tempfile.TemporaryDirectory() as folder:
            connection = tenon.connect(running.address)
            for loaded in (scene, tenon.load(mesh_scene(Path(folder)))):
                local = tenon.Simulation(loaded)
                local.step(50)
                with connection.simulation(loaded) as remote:
                    remote.step(50)
                    self.assertEqual(remote.state_hash, local.state_hash, loaded.file)


class Records(unittest.TestCase):
    def test_a_record_is_downloaded_while_it_grows_and_verified_at_its_end(self):
        with server() as running, tempfile.TemporaryDirectory() as folder:
            connection = tenon.connect(running.address)
            with connection.simulation(SCENES / "bolt-in-plate.json", rate=200, record=True) as remote:
                remote.step(400)
                # The recorder saves at least every 0.1 s of simulated time.
                connection.download(remote.record, Path(folder) / "early.tenon")
                self.assertIn({"id": remote.record, "growing": True}, [
                    {"id": r["id"], "growing": r["growing"]} for r in connection.records()])
                early = tenon.open(Path(folder) / "early.tenon")
                self.assertGreaterEqual(early.steps, 300)
                remote.step(440)
                end = remote.state_hash
            self.assertTrue(connection.verify(remote.record))
            connection.download(remote.record, Path(folder) / "whole.tenon")
            whole = Path(folder) / "whole.tenon"
            result = subprocess.run([PROGRAM, "replay", whole, "--verify"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("verified: 840 steps", result.stdout)
            self.assertEqual(len(end), 16)
            with self.assertRaisesRegex(tenon.InputError, "exists"):
                connection.download(remote.record, whole)
            for bad in ("0" * 16, "../lock", ""):
                with self.assertRaises(tenon.InputError):
                    connection.download(bad, Path(folder) / "none.tenon")
            self.assertFalse((Path(folder) / "none.tenon").exists())


class Supervision(unittest.TestCase):
    def test_a_killed_worker_ends_its_session_alone(self):
        with server() as running, tempfile.TemporaryDirectory() as folder:
            connection = tenon.connect(running.address)
            scene = tenon.load(SCENES / "bolt-in-plate.json")
            victim = connection.simulation(scene, rate=200, record=True)
            (pid,) = running.workers()
            other = connection.simulation(scene, rate=200)
            victim.step(400)
            other.step(400)
            os.kill(pid, signal.SIGKILL)
            text = f"the session {victim.id} has ended: its process was ended by signal 9 .*its record can be"
            for call in (victim.step, lambda: victim.state, lambda: victim.apply(tenon.Release("right"))):
                with self.assertRaisesRegex(tenon.SimulationError, text):
                    call()
            (ended,) = [s for s in connection.sessions() if s["id"] == victim.id]
            self.assertFalse(ended["running"])
            other.step(440)
            local = tenon.Simulation(scene, rate=200)
            local.step(840)
            self.assertEqual(other.state_hash, local.state_hash)
            connection.download(victim.record, Path(folder) / "cut.tenon")
            self.assertGreaterEqual(tenon.open(Path(folder) / "cut.tenon").steps, 300)
            self.assertTrue(connection.verify(victim.record))
            other.close()

    def test_a_worker_that_does_not_answer_is_ended(self):
        with server() as running:
            connection = tenon.connect(running.address)
            silent = connection.simulation(SCENES / "bolt-in-plate.json", rate=200, record=True)
            (pid,) = running.workers()
            other = connection.simulation(SCENES / "bolt-in-plate.json", rate=200)
            silent.step(100)
            os.kill(pid, signal.SIGSTOP)
            text = f"the session {silent.id} has ended: its process did not answer"
            with self.assertRaisesRegex(tenon.SimulationError, text):
                silent.step(1)
            self.assertNotIn(pid, running.workers())
            other.step(100)
            self.assertTrue(connection.verify(silent.record))
            other.close()

    def test_sigterm_completes_the_records_of_sessions_that_compute(self):
        with tempfile.TemporaryDirectory() as folder:
            running = ServerProcess(folder)
            connection = tenon.connect(running.address)
            remote = connection.simulation(SCENES / "bolt-in-plate.json", record=True)
            failures = []

            def compute():
                try:
                    remote.step(10**6)
                except tenon.SimulationError as error:
                    failures.append(str(error))

            remote.step(10)
            thread = threading.Thread(target=compute)
            thread.start()
            watcher = tenon.connect(running.address)
            # More than ten steps write: the thread computes.
            while not any(r["bytes"] > 1 << 20 for r in watcher.records()):
                time.sleep(0.01)
            self.assertEqual(running.stop(), 0)
            thread.join()
            self.assertEqual(len(failures), 1)
            self.assertRegex(failures[0], "the server was stopped|has ended")
            record = Path(folder) / "data" / "records" / f"{remote.record}.tenon"
            result = subprocess.run([PROGRAM, "replay", record, "--text"], capture_output=True, text=True)
            self.assertIn("ended     the server was stopped", result.stdout + result.stderr)
            self.assertEqual(sorted(p.name for p in record.parent.iterdir()), [record.name])

    def test_a_killed_server_leaves_no_process_and_whole_records(self):
        with tempfile.TemporaryDirectory() as folder:
            running = ServerProcess(folder)
            remote = tenon.connect(running.address).simulation(SCENES / "bolt-in-plate.json", record=True)
            remote.step(200)
            (pid,) = running.workers()
            running.process.kill()
            running.process.wait()
            running.process.stdout.close()
            running.log.close()
            while is_running(pid):
                time.sleep(0.01)
            record = Path(folder) / "data" / "records" / f"{remote.record}.tenon"
            result = subprocess.run([PROGRAM, "replay", record, "--text"], capture_output=True, text=True)
            self.assertIn("ended     the server ended", result.stdout + result.stderr)

    def test_an_idle_session_ends(self):
        with server("--idle-timeout", "1") as running:
            connection = tenon.connect(running.address)
            remote = connection.simulation(SCENES / "bolt-in-plate.json")
            while connection.sessions()[0]["running"]:  # does not count as use
                time.sleep(0.05)
            with self.assertRaisesRegex(tenon.SimulationError, "was idle for 1 s"):
                remote.step()


class Clock(unittest.TestCase):
    def test_a_session_plays_by_the_clock_with_the_bytes_of_steps(self):
        with server() as running:
            scene = tenon.load(SCENES / "bolt-in-plate.json")
            with tenon.connect(running.address).simulation(scene, rate=200) as remote:
                remote.play(speed=0.5)
                self.assertTrue(remote.playing)
                with self.assertRaisesRegex(tenon.SimulationError, "pause it first"):
                    remote.step()
                while remote.steps < 20:
                    time.sleep(0.01)
                remote.pause()
                steps = remote.steps
                local = tenon.Simulation(scene, rate=200)
                local.step(steps)
                self.assertEqual(remote.state_hash, local.state_hash)


class BadInput(unittest.TestCase):
    def test_the_texts_are_those_of_the_command_line(self):
        with server("--max-sessions", "2", "--max-upload", "1") as running:
            connection = tenon.connect(running.address)
            scene = tenon.load(SCENES / "bolt-in-plate.json")
            pendulum = tenon.load(SCENES / "pendulum.json")
            local, remote = tenon.Simulation(scene), connection.simulation(scene)
            for command in (
                tenon.Grasp("right", "plate"),
                tenon.SetPose("plate", [0, 0, 0]),
            ):
                texts = []
                for simulation in (local, remote):
                    with self.assertRaises(tenon.InputError) as caught:
                        simulation.apply(command)
                    texts.append(str(caught.exception))
                self.assertEqual(*texts)
            for options in ({"solver": "magic"}, {"rate": 1e9}, {"solver_options": {"no": "1"}},
                            {"solver": "baraff", "accuracy": "fast"}):
                texts = []
                for make in (tenon.Simulation, connection.simulation):
                    with self.assertRaises(tenon.InputError) as caught:
                        make(pendulum, **options)
                    texts.append(str(caught.exception))
                self.assertEqual(*texts)
            with self.assertRaisesRegex(tenon.SimulationError, "2 sessions run, as many as this server allows"):
                connection.simulation(scene), connection.simulation(scene)
            with self.assertRaisesRegex(tenon.InputError, "another simulation"):
                remote.restore(local.snapshot())
            remote.close()
            for call in (remote.step, lambda: remote.state, remote.snapshot):
                with self.assertRaisesRegex(tenon.SimulationError, "closed"):
                    call()

    def test_a_scene_that_is_too_large_for_the_server_is_not_stored(self):
        with tempfile.TemporaryDirectory() as folder, server("--max-upload", "1") as running:
            connection = tenon.connect(running.address)
            file = Path(folder) / "scene.json"
            file.write_text((SCENES / "stack.json").read_text())
            scene = tenon.load(file)
            connection.simulation(scene).close()
            self.assertEqual(len(list((running.data / "scenes").iterdir())), 1)
            many = Path(folder) / "many.json"
            many.write_text((SCENES / "stack.json").read_text() + " " * (1 << 20))
            with self.assertRaisesRegex(tenon.SimulationError, "larger than the 1 MB that this server accepts"):
                connection.simulation(many)
            self.assertEqual(len(list((running.data / "scenes").iterdir())), 1)

    def test_addresses_and_folders_are_refused_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            data = ["--data", f"{folder}/data"]
            for options, text in [
                (["--listen", "0.0.0.0:0", *data], "can be reached by others; add --certificate, --key and --tokens"),
                (["--listen", "nonsense", *data], "is not an address; give unix:PATH or HOST:PORT"),
                (["--listen", "127.0.0.1:70000", *data], "is not an address"),
                (["--listen", "unix:", *data], "has no path"),
                (["--listen", "unix:/tmp/" + "x" * 200, *data], "longer than the 107 bytes"),
                (["--data", "/proc/none"], "cannot be written"),
                (["--tokens", f"{folder}/none", *data], "cannot be read"),
                (["--max-sessions", "0", *data], "--max-sessions"),
            ]:
                self.assertIn(text, refusal(*options))
            (Path(folder) / "plain").write_text("mine")
            self.assertIn("is a file and not a socket", refusal("--listen", f"unix:{folder}/plain", *data))
            self.assertEqual((Path(folder) / "plain").read_text(), "mine")
            with socket.create_server(("127.0.0.1", 0)) as used:
                port = used.getsockname()[1]
                self.assertIn("in use", refusal("--listen", f"127.0.0.1:{port}", *data))
            running = ServerProcess(folder)
            self.assertIn("is in use by another server", refusal("--listen", "127.0.0.1:0", *data))
            other = ["--data", f"{folder}/other"]
            self.assertIn("in use by another program", refusal("--listen", running.address, *other))
            tenon.connect(running.address)
            self.assertEqual(running.stop(), 0)
            with self.assertRaisesRegex(tenon.SimulationError, "no server answers"):
                tenon.connect(running.address)

    def test_options_of_a_file_count_and_bad_ones_are_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "serve.ini"
            file.write_text("max-sessions = 1\nidle-timeout = 100\n")
            with server("--config", str(file)) as running:
                identity = tenon.connect(running.address).identity
                self.assertEqual((identity["max_sessions"], identity["idle_timeout"]), (1, 100))
            with server("--config", str(file), "--max-sessions", "3") as running:
                self.assertEqual(tenon.connect(running.address).identity["max_sessions"], 3)
            file.write_text("max-sessions = many\n")
            self.assertIn("max-sessions", refusal("--config", str(file)))
            file.write_text("no-such-option = 1\n")
            self.assertIn("no-such-option", refusal("--config", str(file)))
            self.assertIn("missing.ini", refusal("--config", str(Path(folder) / "missing.ini")))

    def test_what_the_server_writes_is_for_its_user_alone(self):
        with server() as running:
            connection = tenon.connect(running.address)
            with connection.simulation(SCENES / "stack.json", record=True) as remote:
                remote.step(10)
            files = [running.folder / "socket", *(p for p in running.data.rglob("*") if p.is_file())]
            self.assertGreaterEqual(len(files), 3)
            for file in files:
                self.assertEqual(stat.S_IMODE(file.stat().st_mode) & 0o077, 0, file)


class Rights(unittest.TestCase):
    TOKENS = {role: f"{role}-0123456789abcdef" for role in ("observe", "work", "administer")}

    def test_roles_limit_what_a_token_may_do(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = Path(folder) / "tokens"
            lines = [f"{role} {role}-client {token}" for role, token in self.TOKENS.items()]
            tokens.write_text("# clients\n" + "\n".join([*lines, "work other other-0123456789abcdef"]) + "\n")
            tokens.chmod(0o640)
            data = ["--data", f"{folder}/data"]
            self.assertIn("can be read by others than its owner; run chmod 600", refusal("--tokens", tokens, *data))
            tokens.chmod(0o600)
            with server("--tokens", str(tokens)) as running:
                with self.assertRaisesRegex(tenon.SimulationError, "a token is missing"):
                    tenon.connect(running.address)
                with self.assertRaisesRegex(tenon.SimulationError, "not one of this server's"):
                    tenon.connect(running.address, token="work-0123456789abcdeg")
                clients = {r: tenon.connect(running.address, token=t) for r, t in self.TOKENS.items()}
                self.assertEqual(clients["observe"].identity["role"], "observe")
                with self.assertRaisesRegex(
                    tenon.SimulationError, "the role of observe-client is observe, and this call needs work"
                ):
                    clients["observe"].simulation(SCENES / "stack.json")
                remote = clients["work"].simulation(SCENES / "stack.json")
                self.assertEqual(clients["observe"].sessions()[0]["owner"], "work-client")
                log = running.log_text()
                self.assertIn("session-created", log)
                for token in self.TOKENS.values():
                    self.assertNotIn(token, log)
                for line in log.splitlines():
                    self.assertIn("event", json.loads(line))
                remote.close()

    def test_another_address_is_encrypted(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"

            def openssl(*arguments):
                subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder)

            openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
                    "-out", certificate, "-days", "1000", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost")
            Path(f"{folder}/ca").write_text(
                "[ca]\ndefault_ca = c\n[c]\ndatabase = index\nnew_certs_dir = .\nrand_serial = yes\n"
                "default_md = sha256\npolicy = p\n[p]\ncommonName = supplied\n")
            Path(f"{folder}/index").touch()
            openssl("req", "-new", "-key", key, "-out", "request", "-subj", "/CN=localhost")
            openssl("ca", "-config", "ca", "-batch", "-selfsign", "-keyfile", key, "-in", "request", "-out", "old.pem",
                    "-notext", "-startdate", "20200101000000Z", "-enddate", "20200102000000Z")
            tokens = Path(folder) / "tokens"
            tokens.write_text(f"work me {self.TOKENS['work']}\n")
            tokens.chmod(0o600)
            tls = ["--certificate", certificate, "--key", key, "--tokens", str(tokens)]
            expired = ["--certificate", f"{folder}/old.pem", *tls[2:]]
            self.assertIn("has expired; renew it",
                          refusal("--listen", "0.0.0.0:0", "--data", f"{folder}/data", *expired))
            with server(*tls, listen="0.0.0.0:0") as running:
                port = running.address.rsplit(":", 1)[1]
                client = tenon.connect(f"localhost:{port}", token=self.TOKENS["work"], authority=certificate)
                with client.simulation(SCENES / "stack.json") as remote:
                    remote.step(5)
                    self.assertEqual(remote.steps, 5)
                with self.assertRaisesRegex(tenon.SimulationError, "no server answers"):
                    tenon.connect(f"localhost:{port}", token=self.TOKENS["work"])


if __name__ == "__main__":
    unittest.main()
