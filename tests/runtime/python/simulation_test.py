"""tenon.Simulation: steps, commands, states, snapshots, lifetimes, threads."""

import copy
import gc
import os
import signal
import threading
import unittest
from pathlib import Path

import numpy as np

import tenon

SCENES = Path(os.environ["TENON_SOURCE_DIR"]) / "content" / "scenes"


def bolt(**options):
    """The bolt's scene at 200 Hz."""
    return tenon.Simulation(SCENES / "bolt-in-plate.json", rate=200, **options)


class Steps(unittest.TestCase):
    def test_steps_give_the_state_hash_of_a_run(self):
        for scene, steps in [("bolt-in-plate", 840), ("hinge", 100), ("stack", 60)]:
            loaded = tenon.load(SCENES / f"{scene}.json")
            result = tenon.run(loaded, rate=200, duration=steps / 200)
            simulation = tenon.Simulation(loaded, rate=200)
            simulation.step()
            simulation.step(steps - 1)
            self.assertEqual(simulation.state_hash, result.state_hash, scene)
            self.assertEqual(simulation.steps, steps)
            self.assertAlmostEqual(simulation.time, steps / 200)
            state = simulation.state
            self.assertEqual(state.state_hash, result.state_hash)
            for row, part in zip(state.parts, result.parts):
                np.testing.assert_array_equal(row["position"] * 1e3, part["position_mm"])
                np.testing.assert_array_equal(row["quaternion"], part["quaternion"])
            for row, goal in zip(state.goals, result.goals):
                self.assertEqual(row["verdict"], goal["verdict"])
                self.assertEqual(row["depth"], goal["depth_m"])
                self.assertEqual(row["max_push"], goal["max_push_n"])

    def test_a_snapshot_continues_with_the_same_bytes(self):
        simulation = bolt()
        simulation.step(400)
        before = simulation.snapshot()
        hashes, verdicts = [], []
        for _ in range(2):
            simulation.restore(before)
            simulation.step(440)
            hashes.append(simulation.state_hash)
            verdicts.append(simulation.state.goals[0]["verdict"])
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(verdicts, ["inserted", "inserted"])
        other = tenon.Simulation(simulation.scene, rate=200)
        other.restore(before)
        other.step(440)
        self.assertEqual(other.state_hash, hashes[0])

    def test_a_reset_is_a_new_simulation(self):
        simulation = bolt()
        start = simulation.state_hash
        simulation.apply(tenon.Grasp("right", "screw", [0, 0, 0.1]), tenon.MoveHand("right", [0, 0, 0.11]))
        simulation.step(50)
        self.assertNotEqual(simulation.state_hash, start)
        simulation.apply(tenon.Reset())
        self.assertEqual((simulation.steps, simulation.state_hash), (0, start))
        simulation.step(840)
        other = bolt()
        other.step(840)
        self.assertEqual(simulation.state_hash, other.state_hash)

    def test_a_snapshot_of_another_scene_is_refused(self):
        with self.assertRaisesRegex(tenon.InputError, "another scene"):
            bolt().restore(tenon.Simulation(SCENES / "stack.json").snapshot())


class Commands(unittest.TestCase):
    def test_a_hand_that_commands_take_over_carries_a_part(self):
        simulation = bolt(scripted=False)
        screw = simulation.state.part("screw")
        start = screw["position"].copy()
        simulation.apply(tenon.Grasp("right", "screw", start))
        for k in range(1, 101):
            simulation.apply(tenon.MoveHand("right", start + [0, 0, 0.0005 * k]))
            simulation.step()
        simulation.step(100)
        state = simulation.state
        self.assertEqual(state.hands["part"][0], simulation.scene.part_index("screw"))
        np.testing.assert_allclose(state.part("screw")["position"], start + [0, 0, 0.05], atol=1e-4)
        np.testing.assert_allclose(state.hands["position"][0], start + [0, 0, 0.05])
        simulation.apply(tenon.Release("right"))
        simulation.step(20)
        state = simulation.state
        self.assertEqual(state.hands["part"][0], -1)
        fallen = 0.5 * 9.81 * (20 / 200) ** 2
        self.assertAlmostEqual(state.part("screw")["position"][2], start[2] + 0.05 - fallen, delta=0.1 * fallen)

    def test_a_hand_follows_its_script_until_the_first_command(self):
        simulation = bolt()
        simulation.step(200)
        held = simulation.state
        self.assertEqual(held.hands["part"][0], 1)
        position, quaternion = simulation.hand_target("right")
        simulation.apply(tenon.MoveHand("right", position, quaternion))
        simulation.step(200)
        state = simulation.state
        self.assertEqual(state.hands["part"][0], 1)
        np.testing.assert_allclose(state.hands["position"][0], position)

    def test_contacts_carry_the_weight_of_a_part_at_rest(self):
        simulation = bolt(scripted=False)
        simulation.step(200)
        state = simulation.state
        contacts = state.contacts
        self.assertEqual(set(contacts["part_a"]) | set(contacts["part_b"]), {0, 1})
        weight = next(p["mass_kg"] for p in simulation.scene.check().parts if p["name"] == "screw") * 9.81
        force = (contacts["force"][:, None] * contacts["normal"] + contacts["friction"]).sum(axis=0)
        np.testing.assert_allclose(force, [0, 0, weight], atol=1e-6 * weight)
        self.assertTrue(state.converged)
        self.assertLess(state.penetration, 1e-9)

    def test_a_part_is_placed_and_gravity_is_set(self):
        simulation = bolt(scripted=False)
        simulation.apply(tenon.SetPose("screw", [0.03, 0, 0.1]), tenon.SetDynamics(gravity=[0, 0, 0]))
        simulation.step(20)
        part = simulation.state.part("screw")
        np.testing.assert_array_equal(part["position"], [0.03, 0, 0.1])
        np.testing.assert_array_equal(part["velocity"], 0)
        simulation.apply(tenon.SetDynamics(gravity=(1, 0, 0)), tenon.SetDynamics(linear_damping=0))
        simulation.step(200)
        np.testing.assert_allclose(simulation.state.part("screw")["velocity"], [1, 0, 0], atol=1e-9)

    def test_bad_commands_are_refused_by_name(self):
        simulation = bolt()
        nan = float("nan")
        bad = [
            (tenon.MoveHand("left", [0, 0, 0]), "hand.*left"),
            (tenon.MoveHand(1, [0, 0, 0]), "hand: 1 is not an index"),
            (tenon.MoveHand(-1, [0, 0, 0]), "hand: -1 is not an index"),
            (tenon.MoveHand("right", [0, 0]), r"MoveHand.position: has the shape \(2,\)"),
            (tenon.MoveHand("right", [[0, 0, 0]]), r"MoveHand.position: has the shape \(1, 3\)"),
            (tenon.MoveHand("right", [0, 0, nan]), "MoveHand.position: .*not finite"),
            (tenon.MoveHand("right", [0, 0, float("inf")]), "not finite"),
            (tenon.MoveHand("right", "abc"), "not an array of numbers"),
            (tenon.MoveHand("right", [0, 0, 0], [0, 0, 0, 0]), "quaternion: has the length 0"),
            (tenon.MoveHand("right", [0, 0, 0], [2, 0, 0, 0]), "quaternion: has the length 2"),
            (tenon.Grasp("right", "scrow"), "did you mean .*screw"),
            (tenon.Grasp("right", "plate"), "plate: cannot be moved: it is fixed"),
            (tenon.Grasp("right", "screw", quaternion=[1, 0, 0, 0]), "Grasp.position: is missing"),
            (tenon.SetPose("plate", [0, 0, 0]), "plate: cannot be moved"),
            (tenon.SetDynamics(gravity=[nan, 0, 0]), "SetDynamics.gravity"),
            (tenon.SetDynamics(restitution=2), "SetDynamics.restitution"),
            (tenon.SetDynamics(linear_damping=-1), "SetDynamics.linear_damping"),
            (tenon.SetThruster("jet", 1), "thruster.*jet"),
            (tenon.SetThruster("jet", nan), "SetThruster.level"),
        ]
        for command, text in bad:
            with self.assertRaisesRegex(tenon.InputError, text):
                simulation.apply(command)
        with self.assertRaisesRegex(TypeError, "is not a command; use MoveHand"):
            simulation.apply("release")
        with self.assertRaisesRegex(TypeError, "name or index"):
            simulation.apply(tenon.Release(0.5))
        pendulum = tenon.Simulation(SCENES / "pendulum.json")
        joint = pendulum.scene.check().joints[0]
        with self.assertRaisesRegex(tenon.InputError, f"has the joint {joint['name']}"):
            pendulum.apply(tenon.SetPose(joint["part"], [0, 0, 0]))
        # None of them was given: the run is that without them.
        simulation.step(840)
        other = bolt()
        other.step(840)
        self.assertEqual(simulation.state_hash, other.state_hash)
        for n in (0, -1, 1.5, "2", 2**70, nan):
            with self.assertRaises(tenon.InputError):
                simulation.step(n)


class Lifetimes(unittest.TestCase):
    def test_arrays_outlive_the_simulation_and_never_change(self):
        simulation = bolt()
        simulation.step(100)
        state = simulation.state
        parts, contacts = state.parts, state.contacts
        copies = parts.copy(), contacts.copy()
        row = state.part("screw")
        simulation.step(200)
        simulation.close()
        del simulation, state
        gc.collect()
        trash = [np.full(1000, 7.0) for _ in range(100)]
        np.testing.assert_array_equal(parts, copies[0])
        np.testing.assert_array_equal(contacts, copies[1])
        np.testing.assert_array_equal(row["position"], copies[0][1]["position"])
        with self.assertRaises(ValueError):
            parts["position"] = 0
        self.assertEqual(len(trash), 100)

    def test_a_closed_simulation_refuses_every_call(self):
        simulation = bolt()
        snapshot = simulation.snapshot()
        with simulation:
            simulation.step()
        calls = [
            simulation.step,
            simulation.snapshot,
            simulation.reset,
            simulation.hand_target,
            lambda: simulation.state,
            lambda: simulation.state_hash,
            lambda: simulation.time,
            lambda: simulation.dt,
            lambda: simulation.restore(snapshot),
            lambda: simulation.render((64, 64)),
            lambda: simulation.apply(tenon.Release("right")),
            lambda: simulation.apply(tenon.Grasp("right", "screw")),
        ]
        for call in calls:
            with self.assertRaisesRegex(tenon.SimulationError, "closed"):
                call()
        simulation.close()
        self.assertIn("closed", repr(simulation))
        other = tenon.Simulation(simulation.scene, rate=200)
        other.restore(snapshot)
        other.step()

    def test_objects_may_be_destroyed_in_any_order(self):
        scene = tenon.load(SCENES / "bolt-in-plate.json")
        simulation = tenon.Simulation(scene)
        snapshot, state = simulation.snapshot(), simulation.state
        hands = state.hands
        for name in ["scene", "simulation", "snapshot", "state"]:
            exec(f"del {name}", {}, {name: locals()[name]})
        del scene, state
        gc.collect()
        simulation.step()
        del simulation
        gc.collect()
        self.assertEqual(len(hands), 1)
        self.assertIn("bolt-in-plate", repr(snapshot))

    def test_half_made_objects_do_not_crash(self):
        from tenon import _tenon

        for kind in (_tenon.Simulation, _tenon.Session, _tenon.Scene, _tenon.State, _tenon.Snapshot):
            with self.assertRaises(TypeError):
                kind()
        for kind in (_tenon.Scene, _tenon.State, _tenon.Snapshot):
            with self.assertRaises(TypeError):
                kind.__new__(kind)
        for thing in (bolt(), bolt().state, bolt().snapshot()):
            with self.assertRaisesRegex(TypeError, "pickle"):
                copy.deepcopy(thing)
        with self.assertRaises(TypeError):
            _tenon.Simulation(None, ("auto", "exact", {}), None, 0, 1, True)
        with self.assertRaises(tenon.InputError):
            tenon.Simulation(None)


class Threads(unittest.TestCase):
    def test_other_threads_run_during_a_step_and_are_refused_by_the_simulation(self):
        simulation = bolt()
        refused = threading.Event()
        end = threading.Event()

        def look():
            while not end.is_set() and not refused.is_set():
                try:
                    simulation.time  # noqa: B018
                except tenon.SimulationError as error:
                    if "another thread" in str(error):
                        refused.set()

        thread = threading.Thread(target=look)
        thread.start()
        for _ in range(200):
            try:
                simulation.step(100)
            except tenon.SimulationError:
                self.fail("the stepping thread was refused")
            if refused.is_set():
                break
        end.set()
        thread.join()
        self.assertTrue(refused.is_set())

    def test_simulations_in_several_threads_have_the_states_of_one(self):
        scene = tenon.load(SCENES / "bolt-in-plate.json")
        hashes = []

        def simulate():
            simulation = tenon.Simulation(scene, rate=200)
            simulation.step(600)
            hashes.append(simulation.state_hash)

        threads = [threading.Thread(target=simulate) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        simulate()
        self.assertEqual(len(hashes), 5)
        self.assertEqual(len(set(hashes)), 1)

    def test_scenes_are_loaded_in_several_threads(self):
        surveys = []
        file = SCENES / "insertion-benchmark.json"
        threads = [
            threading.Thread(target=lambda: surveys.append(dict(tenon.load(file, clearance_um=20).check())))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(surveys, [dict(tenon.load(file, clearance_um=20).check())] * 8)

    def test_ctrl_c_ends_a_long_step_between_two_steps(self):
        simulation = tenon.Simulation(SCENES / "stack.json")
        stepping = threading.Event()

        def interrupt():
            # The step is seen from here only while it runs without the interpreter lock.
            while not stepping.is_set():
                try:
                    simulation.time  # noqa: B018
                except tenon.SimulationError:
                    stepping.set()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            simulation.step(10**9)
        thread.join()
        steps = simulation.steps
        simulation.step()
        self.assertEqual(simulation.steps, steps + 1)


if __name__ == "__main__":
    unittest.main()
