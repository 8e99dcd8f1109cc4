#!/usr/bin/env python3
"""Reads a session file with Python's own sqlite3, and its contacts with contacts.py, and recomputes two results.

Usage: read_session.py FILE BODY. Prints one JSON object: `state_hash`, FNV-1a of the last recorded states, as
runtime/record/format.md defines it; `load_n`, the upward force that contacts put on BODY at that tick, and
`weight_n`, its weight.
"""

import json
import sqlite3
import struct
import sys

from contacts import contacts_at

GRAVITY = 9.81  # [m/s²]


def fnv1a(data):
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % 2**64
    return value


def last_states(file, tick):
    """The states at `tick`, by body: for each the latest row up to then."""
    columns = "px_m, py_m, pz_m, qx, qy, qz, qw, vx_m_per_s, vy_m_per_s, vz_m_per_s, wx_rad_per_s, wy_rad_per_s, wz_rad_per_s"
    for (body,) in file.execute("SELECT id FROM body ORDER BY id").fetchall():
        yield file.execute(
            f"SELECT {columns} FROM body_state WHERE body = ? AND tick <= ? ORDER BY tick DESC LIMIT 1",
            (body, tick),
        ).fetchone()


def main():
    file = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    (tick,) = file.execute("SELECT max(tick) FROM tick WHERE keyframe = 1").fetchone()
    data = b"".join(struct.pack("<d", x + 0.0) for state in last_states(file, tick) for x in state)
    body, mass = file.execute("SELECT id, mass_kg FROM body WHERE name = ?", (sys.argv[2],)).fetchone()
    load = 0.0
    for contact in contacts_at(file, tick):
        if body in (contact["body_i"], contact["body_j"]):
            force = contact["force_n"] * contact["nz"] + contact["friction_z_n"]
            load += force * (1 if body == contact["body_j"] else -1)
    print(json.dumps({"tick": tick, "state_hash": f"{fnv1a(data):016x}", "load_n": load, "weight_n": mass * GRAVITY}))


if __name__ == "__main__":
    main()
