// Each unit is in its column's name; format.md defines the columns.
#include "runtime/record/schema.h"

namespace tenon::runtime {

const char* const kSchema = R"sql(
CREATE TABLE session (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  started_utc TEXT NOT NULL,
  version TEXT NOT NULL, sources TEXT NOT NULL, arithmetic TEXT NOT NULL, compiler TEXT NOT NULL,
  processor TEXT NOT NULL, cpu_features TEXT NOT NULL, c_library TEXT NOT NULL, build TEXT NOT NULL, system TEXT NOT NULL,
  scene_file TEXT NOT NULL, scene_text TEXT NOT NULL,
  solver TEXT NOT NULL, rate_hz REAL NOT NULL, seed TEXT NOT NULL, threads INTEGER NOT NULL,
  keyframe_every INTEGER NOT NULL
);
CREATE TABLE mesh_file (path TEXT PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE parameter (name TEXT PRIMARY KEY, value REAL NOT NULL, unit TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE solver_option (seq INTEGER PRIMARY KEY, setting TEXT NOT NULL);
CREATE TABLE body (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, motion TEXT NOT NULL, mass_kg REAL NOT NULL,
  origin_x_m REAL NOT NULL, origin_y_m REAL NOT NULL, origin_z_m REAL NOT NULL
);
CREATE TABLE hand (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE joint (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, body INTEGER NOT NULL,
  to_body INTEGER);
CREATE TABLE goal (id INTEGER PRIMARY KEY, name TEXT NOT NULL, body INTEGER NOT NULL,
  into_body INTEGER NOT NULL, hole TEXT NOT NULL, depth_m REAL NOT NULL);

CREATE TABLE tick (
  tick INTEGER PRIMARY KEY, step INTEGER NOT NULL, time_s REAL NOT NULL, session_s REAL NOT NULL,
  state_hash INTEGER NOT NULL, chain INTEGER NOT NULL, keyframe INTEGER NOT NULL,
  converged INTEGER NOT NULL, contacts INTEGER NOT NULL, linearisations INTEGER NOT NULL,
  residual_n REAL, penetration_m REAL, step_us REAL NOT NULL
);
CREATE TABLE hand_input (
  tick INTEGER NOT NULL, hand INTEGER NOT NULL,
  tracked INTEGER NOT NULL, closed INTEGER NOT NULL, wanted_body INTEGER, poses_part INTEGER NOT NULL,
  px_m REAL NOT NULL, py_m REAL NOT NULL, pz_m REAL NOT NULL,
  qw REAL NOT NULL, qx REAL NOT NULL, qy REAL NOT NULL, qz REAL NOT NULL,
  fraction REAL, from_px_m REAL, from_py_m REAL, from_pz_m REAL,
  from_qw REAL, from_qx REAL, from_qy REAL, from_qz REAL,
  closed_px_m REAL, closed_py_m REAL, closed_pz_m REAL,
  closed_qw REAL, closed_qx REAL, closed_qy REAL, closed_qz REAL,
  PRIMARY KEY (tick, hand)
) WITHOUT ROWID;
CREATE TABLE head_pose (
  tick INTEGER PRIMARY KEY, px_m REAL, py_m REAL, pz_m REAL, qw REAL, qx REAL, qy REAL, qz REAL
);
CREATE TABLE command (
  tick INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, hand INTEGER, body INTEGER,
  px_m REAL, py_m REAL, pz_m REAL, qw REAL, qx REAL, qy REAL, qz REAL,
  to_tick INTEGER, solver TEXT, rate_hz REAL, last_tick INTEGER,
  PRIMARY KEY (tick, seq)
) WITHOUT ROWID;
CREATE TABLE command_value (
  tick INTEGER NOT NULL, seq INTEGER NOT NULL,
  gravity_x_m_per_s2 REAL, gravity_y_m_per_s2 REAL, gravity_z_m_per_s2 REAL,
  linear_damping_per_s REAL, angular_damping_per_s REAL, restitution REAL,
  thruster INTEGER, level REAL,
  PRIMARY KEY (tick, seq)
) WITHOUT ROWID;
CREATE INDEX command_return ON command (to_tick) WHERE to_tick IS NOT NULL;

CREATE TABLE body_state (
  tick INTEGER NOT NULL, body INTEGER NOT NULL,
  px_m REAL NOT NULL, py_m REAL NOT NULL, pz_m REAL NOT NULL,
  qw REAL NOT NULL, qx REAL NOT NULL, qy REAL NOT NULL, qz REAL NOT NULL,
  vx_m_per_s REAL NOT NULL, vy_m_per_s REAL NOT NULL, vz_m_per_s REAL NOT NULL,
  wx_rad_per_s REAL NOT NULL, wy_rad_per_s REAL NOT NULL, wz_rad_per_s REAL NOT NULL,
  PRIMARY KEY (tick, body)
) WITHOUT ROWID;
CREATE TABLE hand_state (
  tick INTEGER NOT NULL, hand INTEGER NOT NULL, body INTEGER,
  px_m REAL NOT NULL, py_m REAL NOT NULL, pz_m REAL NOT NULL,
  qw REAL NOT NULL, qx REAL NOT NULL, qy REAL NOT NULL, qz REAL NOT NULL,
  fx_n REAL NOT NULL, fy_n REAL NOT NULL, fz_n REAL NOT NULL,
  tx_nm REAL NOT NULL, ty_nm REAL NOT NULL, tz_nm REAL NOT NULL,
  PRIMARY KEY (tick, hand)
) WITHOUT ROWID;
CREATE TABLE joint_state (
  tick INTEGER NOT NULL, joint INTEGER NOT NULL, phase TEXT NOT NULL, angle_rad REAL NOT NULL, travel_m REAL NOT NULL,
  fx_n REAL NOT NULL, fy_n REAL NOT NULL, fz_n REAL NOT NULL,
  tx_nm REAL NOT NULL, ty_nm REAL NOT NULL, tz_nm REAL NOT NULL,
  PRIMARY KEY (tick, joint)
) WITHOUT ROWID;
CREATE TABLE contact_frame (tick INTEGER PRIMARY KEY, whole INTEGER NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE goal_state (
  tick INTEGER NOT NULL, goal INTEGER NOT NULL, verdict TEXT NOT NULL,
  depth_m REAL NOT NULL, tilt_rad REAL NOT NULL, push_n REAL NOT NULL, max_push_n REAL NOT NULL,
  PRIMARY KEY (tick, goal)
) WITHOUT ROWID;

CREATE TABLE event (
  id INTEGER PRIMARY KEY, tick INTEGER NOT NULL, time_s REAL NOT NULL, kind TEXT NOT NULL,
  hand INTEGER, body INTEGER, other_body INTEGER, goal INTEGER, text TEXT
);
CREATE TABLE contact_episode (
  id INTEGER PRIMARY KEY, body_i INTEGER NOT NULL, body_j INTEGER NOT NULL,
  first_tick INTEGER NOT NULL, last_tick INTEGER NOT NULL, start_s REAL NOT NULL, end_s REAL NOT NULL,
  loaded_ticks INTEGER NOT NULL, peak_force_n REAL NOT NULL, peak_tick INTEGER NOT NULL,
  mean_force_n REAL NOT NULL
);
)sql";

const char* const kBeforeFormat2 = R"sql(
PRAGMA temp_store = MEMORY;
CREATE TEMP VIEW tick AS
  SELECT *, tick * (1.0 / (SELECT rate_hz FROM main.session)) AS session_s FROM main.tick;
CREATE TEMP VIEW command AS
  SELECT *, NULL AS to_tick, NULL AS solver, NULL AS rate_hz, NULL AS last_tick FROM main.command;
)sql";

const char* const kBeforeFormat3 = R"sql(
PRAGMA temp_store = MEMORY;
CREATE TEMP TABLE head_pose (tick INTEGER PRIMARY KEY, px_m, py_m, pz_m, qw, qx, qy, qz);
)sql";

const char* const kBeforeFormat4 = R"sql(
PRAGMA temp_store = MEMORY;
CREATE TEMP TABLE command_value (tick INTEGER, seq INTEGER, gravity_x_m_per_s2, gravity_y_m_per_s2,
  gravity_z_m_per_s2, linear_damping_per_s, angular_damping_per_s, restitution, thruster, level);
)sql";

const char* const kBeforeFormat5 = R"sql(
CREATE TEMP VIEW session AS SELECT *, '' AS arithmetic FROM main.session;
)sql";

const char* const kBeforeFormat6 = R"sql(
CREATE TEMP VIEW IF NOT EXISTS command AS SELECT *, NULL AS last_tick FROM main.command;
)sql";

}  // namespace tenon::runtime
