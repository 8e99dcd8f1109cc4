"""Reading a session: record a run, then work with its tables.

Usage: python3 reading_a_session.py [SCENES [SESSION.tenon]]
    SCENES   folder of bolt-in-plate.json; default: content/scenes
    SESSION  file to write; default: session.tenon
"""

import sys
from pathlib import Path

import numpy as np

import tenon

scenes = Path(sys.argv[1] if len(sys.argv) > 1 else "content/scenes")
file = sys.argv[2] if len(sys.argv) > 2 else "session.tenon"
tenon.run(scenes / "bolt-in-plate.json", record=file, force=True)

with tenon.open(file) as session:
    print(f"{session.steps} steps at {session.rate:g} Hz, ended: {session.ending}")
    for goal in session.goals:
        print(f"{goal['name'] or 'goal'}: {goal['verdict']}, {goal['depth_m'] * 1e3:.3f} mm")
    events = session["events"]
    for event in events[np.isin(events["kind"], ["grab", "seated", "release"])]:
        print(f"  {event['time_s']:.3f} s  {event['kind']} {event['body']}")
    contacts = session["contacts"]
    strongest = contacts[np.argmax(contacts["force_n"])]
    print(f"strongest recorded contact: {strongest['body_i']} on {strongest['body_j']}")
    states = session["body_states"]
    screw = states[states["body"] == "screw"]
    way = np.stack([screw["px_m"], screw["py_m"], screw["pz_m"]], axis=1)
    length = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
    print(f"the screw's path: {length * 1e3:.0f} mm in {len(screw)} keyframes")
    print("verified:", bool(session.verify()))
