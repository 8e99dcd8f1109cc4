"""What each client of `tenon serve` may use: processor time, space, jobs; and whose records are deleted."""

import os
import tempfile
import time
import unittest
from pathlib import Path

import tenon
from server_process import SCENES, refusal, server

TOKENS = {
    "boss": "administer boss boss-0123456789abcdef",
    "ann": "work ann ann-0123456789abcdef",
    "bob": "work bob bob-0123456789abcdef",
    "eve": "observe eve eve-0123456789abcdef",
}


def connect(running, name):
    """A connection of the client of this name."""
    return tenon.connect(running.address, token=TOKENS[name].split()[2])


def wait_until(condition):
    """Waits until the condition holds, at most 60 s; returns it."""
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.1)
    return condition()


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.tokens = self.folder / "tokens"
        self.tokens.write_text("\n".join(TOKENS.values()) + "\n")
        self.tokens.chmod(0o600)

    def ended(self, client, session):
        """Why a session has ended; empty: it runs."""
        return next(s["ended"] for s in client.sessions() if s["id"] == session)

    def test_a_client_that_used_up_its_processor_time_waits(self):
        # 0.36 s a day.
        with server("--tokens", str(self.tokens), "--max-processor-hours", "0.0001") as running:
            ann, bob = connect(running, "ann"), connect(running, "bob")
            session = ann.simulation(SCENES / "pile.json", rate=100)
            session.play()
            self.assertTrue(wait_until(lambda: self.ended(ann, session.id)))
            text = "ann used the 0.0001 h of processor time that this server allows in a day; wait"
            self.assertEqual(self.ended(ann, session.id), text)
            with self.assertRaisesRegex(tenon.SimulationError, text):
                session.step(1)
            with self.assertRaisesRegex(tenon.SimulationError, text):
                ann.simulation(SCENES / "pile.json")
            # Others are not concerned.
            with bob.simulation(SCENES / "pile.json") as other:
                other.step(1)

    def test_a_client_that_used_up_its_space_deletes_records(self):
        with server("--tokens", str(self.tokens), "--max-space", "1") as running:
            ann, bob = connect(running, "ann"), connect(running, "bob")
            session = ann.simulation(SCENES / "pile.json", rate=1000, record=True)
            session.play()
            self.assertTrue(wait_until(lambda: self.ended(ann, session.id)))
            text = "scenes, records and studies of ann take the 1 MB that this server allows; delete some of them"
            self.assertEqual(self.ended(ann, session.id), text)
            record = ann.records()[0]
            self.assertGreaterEqual(record["bytes"], 1_000_000)
            with self.assertRaisesRegex(tenon.SimulationError, text):
                ann.simulation(SCENES / "stack.json")
            with bob.simulation(SCENES / "stack.json") as other:
                other.step(1)
            ann.delete_record(record["id"])
            self.assertEqual(ann.records(), [])
            with ann.simulation(SCENES / "stack.json") as again:
                again.step(1)

    def test_records_are_deleted_by_owner_and_administrator_alone(self):
        with server("--tokens", str(self.tokens)) as running:
            clients = {name: connect(running, name) for name in TOKENS}
            ids = []
            for _ in range(2):
                with clients["ann"].simulation(SCENES / "stack.json", record=True) as session:
                    session.step(10)
                    ids.append(session.record)
                    with self.assertRaisesRegex(tenon.SimulationError, "close its session first"):
                        clients["ann"].delete_record(session.record)
            with self.assertRaisesRegex(tenon.SimulationError, "only ann or an administrator may delete it"):
                clients["bob"].delete_record(ids[0])
            with self.assertRaisesRegex(tenon.SimulationError, "this call needs work"):
                clients["eve"].delete_record(ids[0])
            with self.assertRaisesRegex(tenon.InputError, "is not one of 16 hexadecimal digits"):
                clients["boss"].delete_record("../tokens")
            clients["ann"].delete_record(ids[0])
            clients["boss"].delete_record(ids[1])
            with self.assertRaisesRegex(tenon.InputError, "is not on this server"):
                clients["boss"].delete_record(ids[1])
            self.assertEqual([path.name for path in (running.data / "records").iterdir()], [])
            self.assertIn("record-deleted", running.log_text())

    def test_scenes_are_deleted_by_owner_and_administrator_alone(self):
        with server("--tokens", str(self.tokens)) as running:
            clients = {name: connect(running, name) for name in TOKENS}
            ids = [clients["ann"].upload(SCENES / f"{name}.json") for name in ("stack", "hinge")]
            with self.assertRaisesRegex(tenon.SimulationError, "the scene belongs to ann; only ann or an administrator may delete it"):
                clients["bob"].delete_scene(ids[0])
            clients["ann"].delete_scene(ids[0])
            clients["boss"].delete_scene(ids[1])
            with self.assertRaisesRegex(tenon.InputError, "is not on this server"):
                clients["boss"].delete_scene(ids[1])
            self.assertEqual(clients["ann"].scenes(), [])
            self.assertEqual([path.name for path in (running.data / "scenes").iterdir()], [])

    def test_a_client_has_a_limit_of_streams_and_others_go_on(self):
        with server("--tokens", str(self.tokens)) as running:
            ann, bob, eve = (connect(running, name) for name in ("ann", "bob", "eve"))
            session = ann.simulation(SCENES / "stack.json")
            watched = eve.join(session.id)
            streams = [watched.watch() for _ in range(256)]
            for stream in streams:
                next(stream)
            with self.assertRaisesRegex(tenon.SimulationError, "256 streams are open"):
                next(watched.watch())
            next(bob.join(session.id).watch())
            streams.pop().close()
            self.assertTrue(wait_until(lambda: self.opens(watched)))
            session.close()

    def opens(self, simulation):
        """Whether another stream can be opened."""
        try:
            next(simulation.watch())
        except tenon.SimulationError:
            return False
        return True


class Files(unittest.TestCase):
    def test_files_of_secrets_are_checked_before_their_mode(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = Path(folder) / "tokens"
            data = ["--data", f"{folder}/data"]
            tokens.write_text("root:x:0:0:root:/root:/bin/bash\n")
            tokens.chmod(0o644)
            text = refusal("--tokens", str(tokens), *data)
            self.assertIn("line 1: is not a client", text)
            self.assertNotIn("chmod", text)
            tokens.write_text(TOKENS["ann"] + "\n")
            self.assertIn("run chmod 600", refusal("--tokens", str(tokens), *data))
            key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
            os.system(f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout {key} "
                      f"-out {certificate} -days 1000 -subj /CN=localhost 2>/dev/null")
            tokens.chmod(0o600)
            os.chmod(key, 0o644)
            self.assertIn("is a private key that every user can read; run chmod o=",
                          refusal("--listen", "0.0.0.0:0", "--certificate", certificate, "--key", key, "--tokens",
                                  str(tokens), *data))


if __name__ == "__main__":
    unittest.main()
