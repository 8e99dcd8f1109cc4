"""A first insertion: a screw goes into a plate.

Usage: python3 first_insertion.py [SCENES]
    SCENES  folder of bolt-in-plate.json; default: content/scenes
"""

import sys
from pathlib import Path

import tenon

scenes = Path(sys.argv[1] if len(sys.argv) > 1 else "content/scenes")
scene = tenon.load(scenes / "bolt-in-plate.json", hole_diameter_mm=9)
print(scene)
for goal in scene.check().goals:
    clearance_mm = goal["clearance_m"] * 1e3
    print(f"{goal['part']} into {goal['into']}/{goal['hole']}: {clearance_mm:.3f} mm of clearance")

result = tenon.run(scene)
goal = result.goals[0]
print(f"{goal['verdict']}: {goal['depth_m'] * 1e3:.3f} mm deep after {goal['time_s']:.3f} s")
print(goal["explanation"])

# The same, step by step: where is the screw when it first touches the plate?
simulation = tenon.Simulation(scene)
plate = scene.part_index("plate")
while simulation.time < 4:
    simulation.step(10)
    state = simulation.state
    if simulation.time > 1.7 and (state.contacts["part_a"] == plate).any():
        tip = state.goals[0]["depth"] * 1e3
        print(f"first contact at {state.time:.2f} s, {len(state.contacts)} contacts, depth {tip:.2f} mm")
        break
simulation.step(4200 - simulation.steps)
print("the same state as the run:", simulation.state_hash == result.state_hash)
