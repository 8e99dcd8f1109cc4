"""tenon.open(): tables, verification, damaged files."""

import gc
import os
import sqlite3
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import tenon

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from contacts import contacts_at

SCENES = Path(os.environ["TENON_SOURCE_DIR"]) / "content" / "scenes"


class Sessions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = Path(cls.folder.name) / "s.tenon"
        cls.result = tenon.run(SCENES / "bolt-in-plate.json", rate=200, record=cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_session_describes_itself(self):
        with tenon.open(self.file) as session:
            self.assertEqual((session.steps, session.rate, session.solver), (840, 200, "auto"))
            self.assertAlmostEqual(session.duration, 4.2)
            self.assertEqual(session.ending, "done")
            self.assertEqual(session.parts, ["plate", "screw"])
            self.assertEqual(session.hands, ["right"])
            goal = session.goals[0]
            self.assertEqual(goal["verdict"], "inserted")
            self.assertAlmostEqual(goal["target_depth_m"], 0.03)
            self.assertIn("840 steps", repr(session))
            self.assertIn("<td>inserted</td>", session._repr_html_())

    def test_tables_have_what_the_file_has(self):
        database = sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)
        with tenon.open(self.file) as session:
            ticks = session["ticks"]
            self.assertEqual(ticks.shape, (841,))
            self.assertEqual(ticks["tick"].dtype, np.int64)
            np.testing.assert_array_equal(ticks["tick"], np.arange(841))
            self.assertEqual(ticks["state_hash"][-1], self.result.state_hash)
            keyframes = [row[0] for row in database.execute("SELECT tick FROM tick WHERE keyframe = 1 ORDER BY tick")]
            forces = [c["force_n"] for tick in keyframes for c in contacts_at(database, tick)]
            self.assertGreater(len(forces), 0)
            np.testing.assert_array_equal(session["contacts"]["force_n"], forces)
            commands = session["commands"]
            grab = commands[commands["kind"] == "grab"][0]
            self.assertEqual((grab["hand"], grab["body"], grab["solver"]), ("right", "screw", ""))
            self.assertTrue(np.isnan(grab["level"]))
            for name in session.tables:
                self.assertIsNotNone(session.table(name).dtype.names, name)
            self.assertEqual(session["mesh_files"].shape, (0,))
            with self.assertRaisesRegex(tenon.InputError, "did you mean .*ticks"):
                session.table("tick")
        database.close()

    def test_frames_are_of_pandas_or_name_the_package(self):
        with tenon.open(self.file) as session:
            try:
                import pandas
            except ImportError:
                with self.assertRaisesRegex(tenon.MissingComponent, "apt-get install python3-pandas"):
                    session.frame("ticks")
            else:
                frame = session.frame("ticks")
                self.assertIsInstance(frame, pandas.DataFrame)
                np.testing.assert_array_equal(frame["tick"], np.arange(841))

    def test_a_session_is_verified_and_a_changed_one_is_not(self):
        with tenon.open(self.file) as session:
            verification = session.verify()
            self.assertTrue(verification)
            self.assertEqual((verification.steps, verification.first_different), (840, None))
            self.assertIn("every state bit for bit", verification.text)
            self.assertTrue(session.verify())
        changed = Path(self.folder.name) / "changed.tenon"
        changed.write_bytes(self.file.read_bytes())
        database = sqlite3.connect(changed)
        database.execute("UPDATE tick SET state_hash = state_hash + 1 WHERE tick = 500")
        database.commit()
        database.close()
        with self.assertRaises(tenon.InputError), tenon.open(changed) as session:
            session.verify()

    def test_the_scene_of_a_session_runs_again(self):
        with tenon.open(self.file) as session:
            scene = session.scene
        self.assertEqual(tenon.run(scene, rate=200).state_hash, self.result.state_hash)

    def test_bad_files_are_refused(self):
        folder = Path(self.folder.name)
        (folder / "text.tenon").write_text("no database")
        whole = self.file.read_bytes()
        (folder / "half.tenon").write_bytes(whole[: len(whole) // 2])
        for name in ["text.tenon", "missing.tenon", "."]:
            with self.assertRaises(tenon.InputError):
                tenon.open(folder / name)
        with self.assertRaises(tenon.InputError), tenon.open(folder / "half.tenon") as session:
            session.verify()

    def test_a_closed_session_refuses_every_call_and_its_tables_stay(self):
        session = tenon.open(self.file)
        ticks = session["ticks"]
        session.close()
        session.close()
        for call in [
            session.verify,
            lambda: session.file,
            lambda: session.goals,
            lambda: session.scene,
            lambda: session["ticks"],
            lambda: session.tables,
        ]:
            with self.assertRaisesRegex(ValueError, "closed"):
                call()
        self.assertIn("closed", repr(session))
        del session
        gc.collect()
        np.testing.assert_array_equal(ticks["tick"], np.arange(841))


if __name__ == "__main__":
    unittest.main()
