"""What a session file says, read from its tables alone: the reference for what a page shows."""

import math
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from contacts import contacts_at


def rotated(q, v):
    """v turned by the unit quaternion q = (w, x, y, z)."""
    w, u = q[0], q[1:]
    t = [2 * (u[1] * v[2] - u[2] * v[1]), 2 * (u[2] * v[0] - u[0] * v[2]), 2 * (u[0] * v[1] - u[1] * v[0])]
    return [v[0] + w * t[0] + u[1] * t[2] - u[2] * t[1], v[1] + w * t[1] + u[2] * t[0] - u[0] * t[2],
            v[2] + w * t[2] + u[0] * t[1] - u[1] * t[0]]


def added(a, b):
    return [x + y for x, y in zip(a, b)]


def distance(a, b):
    return math.dist(a, b)


class Session:
    def __init__(self, file):
        self.database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self.bodies = self.rows("SELECT name, motion, origin_x_m, origin_y_m, origin_z_m FROM body ORDER BY id")

    def rows(self, sql, *values):
        return self.database.execute(sql, values).fetchall()

    def close(self):
        self.database.close()

    def keyframes(self):
        """(tick, time) of all recorded states."""
        return self.rows("SELECT tick, session_s FROM tick WHERE keyframe = 1 ORDER BY tick")

    def point(self, body, p, tick):
        """A point p [m] in a part's frame, in the world at a keyframe [m]."""
        row = self.rows("SELECT px_m, py_m, pz_m, qw, qx, qy, qz FROM body_state WHERE body = ? AND tick <= ? "
                        "ORDER BY tick DESC LIMIT 1", body, tick)[0]
        return added(row[:3], rotated(row[3:], added(self.bodies[body][2:], p)))

    def contact_forces(self, tick):
        """Sum of the contact forces of each pair (i, j) on its dynamic part [N]; of two, on j."""
        sums = {}
        for c in contacts_at(self.database, tick):
            i, j = c["body_i"], c["body_j"]
            sign = 1 if self.bodies[j][1] == "dynamic" else -1
            newtons = [sign * (c["force_n"] * c["n" + axis] + c[f"friction_{axis}_n"]) for axis in "xyz"]
            sums[i, j] = added(sums.get((i, j), [0, 0, 0]), newtons)
        return sums

    def hand_forces(self, tick):
        return [list(row) for row in self.rows(
            "SELECT fx_n, fy_n, fz_n FROM hand_state WHERE tick = (SELECT max(tick) FROM hand_state WHERE tick <= ?) "
            "AND body IS NOT NULL ORDER BY hand", tick)]

    def goals(self, tick):
        """(verdict, depth [m], push [N]) of each goal at a keyframe."""
        return self.rows("SELECT verdict, depth_m, push_n FROM goal_state WHERE tick = "
                         "(SELECT max(tick) FROM goal_state WHERE tick <= ?) ORDER BY goal", tick)
