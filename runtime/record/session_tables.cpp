// One query for each table; a value's type in the file determines its format.
#include "runtime/record/session_tables.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "content/input/printable.h"

namespace tenon::runtime {

namespace {

using Sink = std::function<void(const std::string&)>;

constexpr std::size_t kPiece = 1 << 16;  ///< size of a piece for the sink [bytes]

constexpr std::array kTables{
    SessionTable{"session",
                 "SELECT started_utc, version, sources, compiler, processor, cpu_features, c_library, build, "
                 "system, scene_file, solver, rate_hz, seed, threads, keyframe_every FROM session"},
    SessionTable{"mesh_files",
                 "SELECT path, printf('%016x', hash) AS hash, length(bytes) AS size_bytes FROM mesh_file "
                 "ORDER BY path"},
    SessionTable{"parameters", "SELECT name, value, unit FROM parameter ORDER BY name"},
    SessionTable{"bodies", "SELECT * FROM body ORDER BY id"},
    SessionTable{"joints",
                 "SELECT j.id, j.name, j.kind, b.name AS body, t.name AS to_body FROM joint j "
                 "JOIN body b ON b.id = j.body LEFT JOIN body t ON t.id = j.to_body ORDER BY j.id"},
    SessionTable{"goals",
                 "SELECT g.id, g.name, p.name AS part, i.name AS into_part, g.hole, g.depth_m FROM goal g "
                 "JOIN body p ON p.id = g.body JOIN body i ON i.id = g.into_body ORDER BY g.id"},
    SessionTable{
        "ticks",
        "SELECT tick, time_s, session_s, printf('%016x', state_hash) AS state_hash, converged, contacts, "
        "linearisations, residual_n, penetration_m, step_us FROM tick ORDER BY tick"},
    SessionTable{"commands",
                 "SELECT t.time_s, c.tick, c.seq, c.kind, h.name AS hand, b.name AS body, c.px_m, c.py_m, "
                 "c.pz_m, c.qw, c.qx, c.qy, c.qz, c.to_tick, c.solver, c.rate_hz, c.last_tick, "
                 "v.gravity_x_m_per_s2, v.gravity_y_m_per_s2, v.gravity_z_m_per_s2, v.linear_damping_per_s, "
                 "v.angular_damping_per_s, v.restitution, v.thruster, v.level FROM command c JOIN tick t "
                 "ON t.tick = c.tick LEFT JOIN command_value v ON v.tick = c.tick AND v.seq = c.seq "
                 "LEFT JOIN hand h ON h.id = c.hand LEFT JOIN body b ON b.id = c.body "
                 "ORDER BY c.tick, c.seq"},
    SessionTable{"body_states",
                 "SELECT t.time_s, s.tick, b.name AS body, s.px_m, s.py_m, s.pz_m, s.qw, s.qx, s.qy, s.qz, "
                 "s.vx_m_per_s, s.vy_m_per_s, s.vz_m_per_s, s.wx_rad_per_s, s.wy_rad_per_s, s.wz_rad_per_s "
                 "FROM body_state s JOIN tick t ON t.tick = s.tick JOIN body b ON b.id = s.body "
                 "ORDER BY s.tick, s.body"},
    SessionTable{"hand_states",
                 "SELECT t.time_s, s.tick, h.name AS hand, b.name AS holds, s.px_m, s.py_m, s.pz_m, s.qw, "
                 "s.qx, s.qy, s.qz, s.fx_n, s.fy_n, s.fz_n, s.tx_nm, s.ty_nm, s.tz_nm "
                 "FROM hand_state s JOIN tick t ON t.tick = s.tick JOIN hand h ON h.id = s.hand "
                 "LEFT JOIN body b ON b.id = s.body ORDER BY s.tick, s.hand"},
    SessionTable{
        "head_poses",
        "SELECT t.time_s, t.session_s, h.* FROM head_pose h JOIN tick t ON t.tick = h.tick ORDER BY h.tick"},
    SessionTable{
        "joint_states",
        "SELECT t.time_s, s.tick, j.name AS joint, s.phase, s.angle_rad, s.travel_m, s.fx_n, s.fy_n, "
        "s.fz_n, s.tx_nm, s.ty_nm, s.tz_nm FROM joint_state s JOIN tick t ON t.tick = s.tick "
        "JOIN joint j ON j.id = s.joint ORDER BY s.tick, s.joint"},
    SessionTable{"contacts",
                 "SELECT t.time_s, c.tick, i.name AS body_i, j.name AS body_j, c.px_m, c.py_m, c.pz_m, c.nx, "
                 "c.ny, c.nz, c.distance_m, c.force_n, c.friction_x_n, c.friction_y_n, c.friction_z_n, c.mu "
                 "FROM contact c CROSS JOIN tick t ON t.tick = c.tick CROSS JOIN body i ON i.id = c.body_i "
                 "CROSS JOIN body j ON j.id = c.body_j ORDER BY c.tick, c.seq"},
    SessionTable{"goal_states",
                 "SELECT t.time_s, s.tick, s.goal, g.name AS goal_name, p.name AS part, i.name AS into_part, "
                 "g.hole, s.verdict, "
                 "s.depth_m, s.tilt_rad, s.push_n, s.max_push_n FROM goal_state s "
                 "JOIN tick t ON t.tick = s.tick JOIN goal g ON g.id = s.goal JOIN body p ON p.id = g.body "
                 "JOIN body i ON i.id = g.into_body ORDER BY s.tick, s.goal"},
    SessionTable{"events",
                 "SELECT e.time_s, e.tick, t.session_s, e.kind, h.name AS hand, b.name AS body, "
                 "o.name AS other_body, e.goal, e.text FROM event e LEFT JOIN tick t ON t.tick = e.tick LEFT "
                 "JOIN hand h ON h.id = e.hand "
                 "LEFT JOIN body b ON b.id = e.body LEFT JOIN body o ON o.id = e.other_body ORDER BY e.id"},
    SessionTable{
        "contact_episodes",
        "SELECT i.name AS body_i, j.name AS body_j, e.first_tick, e.last_tick, e.start_s, e.end_s, "
        "f.session_s AS start_session_s, l.session_s AS end_session_s, "
        "e.loaded_ticks, e.peak_force_n, e.peak_tick, e.mean_force_n FROM contact_episode e "
        "JOIN body i ON i.id = e.body_i JOIN body j ON j.id = e.body_j "
        "LEFT JOIN tick f ON f.tick = e.first_tick LEFT JOIN tick l ON l.tick = e.last_tick ORDER BY e.id"},
};

std::string inJson(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// True for a text that a spreadsheet reads as a formula: leading blanks are ignored, numbers are not
/// formulas.
bool isFormula(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos || std::string_view("=+-@").find(text[first]) == std::string_view::npos)
    return false;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + first + (text[first] == '+' ? 1 : 0), end, number);
  return error != std::errc() || stop != end;
}

std::string csvOf(const SQLite::Column& value) {
  if (value.isNull()) return "";
  if (value.isInteger()) return fmt::format("{}", value.getInt64());
  if (value.isFloat()) return fmt::format("{}", value.getDouble());
  return csvField(value.getString());
}

/// JSON has no infinity: null.
std::string jsonOf(const SQLite::Column& value) {
  if (value.isNull() || (value.isFloat() && !std::isfinite(value.getDouble()))) return "null";
  if (value.isInteger()) return fmt::format("{}", value.getInt64());
  if (value.isFloat()) return fmt::format("{}", value.getDouble());
  return inJson(value.getString());
}

/// Passes the output on in pieces.
class Pieces {
 public:
  explicit Pieces(const Sink& sink) : sink_(sink) {}
  Pieces& add(std::string_view text) {
    piece_ += text;
    if (piece_.size() >= kPiece) flush();
    return *this;
  }
  void flush() {
    sink_(piece_);
    piece_.clear();
  }

 private:
  const Sink& sink_;
  std::string piece_;
};

}  // namespace

std::string csvField(const std::string& foreign) {
  std::string text = content::printable(foreign, content::LineEndings::preserved);
  if (isFormula(text)) text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? "\"\"" : std::string(1, c);
  return all + "\"";
}

std::span<const SessionTable> sessionTables() {
  return kTables;
}

void writeCsv(const SessionReader& session, const SessionTable& table, const Sink& sink) {
  Pieces out(sink);
  try {
    SQLite::Statement rows(session.database(), std::string(table.query));
    const int columns = rows.getColumnCount();
    for (int k = 0; k < columns; ++k) out.add(k > 0 ? "," : "").add(csvField(rows.getColumnName(k)));
    out.add("\r\n");
    while (rows.executeStep()) {
      for (int k = 0; k < columns; ++k) out.add(k > 0 ? "," : "").add(csvOf(rows.getColumn(k)));
      out.add("\r\n");
    }
  } catch (const SQLite::Exception& error) {
    session.failReading(error);
  }
  out.flush();
}

void writeJson(const SessionReader& session, const SessionTable& table, const Sink& sink) {
  Pieces out(sink);
  try {
    SQLite::Statement rows(session.database(), std::string(table.query));
    const int columns = rows.getColumnCount();
    out.add("[");
    for (bool first = true; rows.executeStep(); first = false) {
      out.add(first ? "\n{" : ",\n{");
      for (int k = 0; k < columns; ++k)
        out.add(k > 0 ? ", " : "")
            .add(inJson(rows.getColumnName(k)))
            .add(": ")
            .add(jsonOf(rows.getColumn(k)));
      out.add("}");
    }
    out.add("]");
  } catch (const SQLite::Exception& error) {
    session.failReading(error);
  }
  out.flush();
}

}  // namespace tenon::runtime
