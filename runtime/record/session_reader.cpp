// Validates everything in the file: see session_reader.h.
#include "runtime/record/session_reader.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "content/input/wording.h"
#include "content/reader/load_scene.h"
#include "physics/body/state_hash.h"
#include "runtime/record/command_row.h"
#include "runtime/record/hash_chain.h"
#include "runtime/record/schema.h"

namespace tenon::runtime {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRemedy = "take another copy; what can be saved, sqlite3 FILE .recover saves";

std::uint64_t hashOf(const SQLite::Column& column) {
  return static_cast<std::uint64_t>(column.getInt64());
}

/// "table.column" of every column of every table.
std::vector<std::string> columnsOf(const SQLite::Database& database) {
  SQLite::Statement rows(database,
                         "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c "
                         "WHERE m.type = 'table' ORDER BY 1");
  std::vector<std::string> all;
  while (rows.executeStep()) all.push_back(rows.getColumn(0).getString());
  return all;
}

/// Of a file as this program writes it.
std::vector<std::string> columnsOfModel() {
  SQLite::Database model(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  model.exec(kSchema);
  return columnsOf(model);
}

}  // namespace

SessionReader::SessionReader(const std::string& file) : file_(file) {
  checkPlainFile();
  try {
    // Only one thread at a time uses it: without SQLite's locks an hour's session is read in four fifths of
    // the time.
    database_ = std::make_unique<SQLite::Database>(file_, SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX, 1000);
    checkKind();
    checkTables();
    if (format_ < 2) database_->exec(kBeforeFormat2);
    if (format_ < 3) database_->exec(kBeforeFormat3);
    readHeader();
    readMeshFiles();
    readNames();
    chain_ = chainStart(header_);
    checkHeader();
    ticks_ = std::make_unique<SQLite::Statement>(
        *database_, "SELECT tick, session_s, state_hash, chain, keyframe FROM tick ORDER BY tick");
    commands_ = std::make_unique<SQLite::Statement>(*database_,
                                                    "SELECT tick, kind, hand, body, px_m, py_m, pz_m, qw, "
                                                    "qx, qy, qz, to_tick, solver, rate_hz FROM command "
                                                    "ORDER BY tick, seq");
    states_ = std::make_unique<SQLite::Statement>(
        *database_,
        "SELECT tick, body, px_m, py_m, pz_m, qw, qx, qy, qz, vx_m_per_s, vy_m_per_s, vz_m_per_s, "
        "wx_rad_per_s, wy_rad_per_s, wz_rad_per_s FROM body_state ORDER BY tick, body");
    moreCommands_ = commands_->executeStep();
    moreStates_ = states_->executeStep();
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
}

void SessionReader::fail(const std::string& place, const std::string& problem) const {
  throw content::InputError(file_, place, problem, kRemedy);
}

void SessionReader::failReading(const std::exception& error) const {
  std::error_code none;
  const bool log = fs::exists(file_ + "-wal", none);
  throw content::InputError(
      file_, "", fmt::format("cannot be read ({})", error.what()),
      log ? fmt::format("copy it with {}-wal to a folder that may be written; {}", file_, kRemedy) : kRemedy);
}

void SessionReader::checkPlainFile() const {
  std::error_code error;
  const fs::file_status status = fs::status(file_, error);
  const auto refuse = [&](const char* problem, const char* remedy) {
    throw content::InputError(file_.empty() ? "\"\"" : file_, "", problem, remedy);
  };
  if (!fs::exists(status)) refuse("does not exist", "check the path");
  if (!fs::is_regular_file(status)) refuse("is not a plain file", "name the file of a session");
  std::array<char, 16> head{};
  std::ifstream stream(file_, std::ios::binary);
  if (!stream) refuse("cannot be opened", "check its permissions");
  stream.read(head.data(), head.size());
  if (stream.gcount() == 0)
    refuse("is empty: the recording was cut off before it began", "record the session again");
  if (std::memcmp(head.data(), "SQLite format 3", head.size()) != 0)
    refuse("is not a session: not an SQLite file", "name a file that tenon has recorded");
}

void SessionReader::checkKind() {
  SQLite::Statement id = query("PRAGMA application_id"), version = query("PRAGMA user_version");
  id.executeStep();
  version.executeStep();
  const int format = version.getColumn(0).getInt();
  if (id.getColumn(0).getInt() != kApplicationId) {
    const bool nothing = id.getColumn(0).getInt() == 0 && columnsOf(*database_).empty();
    throw content::InputError(file_, "",
                              nothing ? "holds nothing: the recording was cut off before it began"
                                      : "is not a session: an SQLite file of another program",
                              nothing ? "record the session again" : "name a file that tenon has recorded");
  }
  if (format > kFormatVersion)
    throw content::InputError(
        file_, "", fmt::format("is of format {}, and this program reads up to {}", format, kFormatVersion),
        "take the tenon that recorded it, or a newer one");
  if (format < 1) fail("", fmt::format("is of format {}, which there never was", format));
  format_ = format;
}

void SessionReader::checkTables() const {
  static const std::vector<std::string> due = columnsOfModel();
  const std::vector<std::string> there = columnsOf(*database_);
  for (const std::string& column : due) {
    const auto came = [&](const auto& with) { return std::binary_search(with.begin(), with.end(), column); };
    if ((format_ < 2 && came(kSinceFormat2)) || (format_ < 3 && came(kSinceFormat3))) continue;
    if (!std::binary_search(there.begin(), there.end(), column)) fail(column, "is missing");
  }
}

void SessionReader::readHeader() {
  SQLite::Statement row = query(
      "SELECT started_utc, version, sources, compiler, processor, cpu_features, c_library, build, "
      "system, scene_file, scene_text, solver, rate_hz, seed, threads, keyframe_every FROM session");
  if (!row.executeStep()) fail("session", "has no row");
  std::string* const texts[] = {
      &header_.started,          &header_.program.version,   &header_.program.sources,
      &header_.program.compiler, &header_.program.processor, &header_.program.cpuFeatures,
      &header_.program.cLibrary, &header_.program.build,     &header_.program.system,
      &header_.sceneFile,        &header_.sceneText,         &header_.solver};
  int k = 0;
  for (std::string* text : texts) *text = row.getColumn(k++).getString();
  header_.rate = finiteNumber(row.getColumn(k++), 0);
  const std::string seed = row.getColumn(k++).getString();
  const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), header_.seed);
  if (error != std::errc() || end != seed.data() + seed.size()) fail("session.seed", "is no whole number");
  header_.threads = row.getColumn(k++).getInt();
  header_.keyframeEvery = row.getColumn(k).getInt();
  if (!(header_.rate > 0)) fail("session.rate_hz", "is not above 0");
  if (header_.keyframeEvery < 1) fail("session.keyframe_every", "is not above 0");
  SQLite::Statement parameters = query("SELECT name, value FROM parameter");
  while (parameters.executeStep())
    header_.parameters[parameters.getColumn(0).getString()] = finiteNumber(parameters.getColumn(1), 0);
  SQLite::Statement options = query("SELECT setting FROM solver_option ORDER BY seq");
  while (options.executeStep()) header_.solverOptions.push_back(options.getColumn(0).getString());
}

void SessionReader::readMeshFiles() {
  SQLite::Statement rows = query("SELECT path, hash, bytes FROM mesh_file");
  while (rows.executeStep()) {
    const std::string path = rows.getColumn(0).getString();
    std::string bytes = rows.getColumn(2).getString();
    if (bytesHash(bytes) != hashOf(rows.getColumn(1)))
      fail(fmt::format("mesh_file {}", content::inQuotes(path)),
           "its bytes are not those that were recorded (another hash)");
    header_.meshFiles[path] = std::move(bytes);
  }
}

void SessionReader::readNames() {
  for (const auto& [sql, names] : {std::pair("SELECT id, name FROM body ORDER BY id", &bodies_),
                                   std::pair("SELECT id, name FROM hand ORDER BY id", &hands_)}) {
    SQLite::Statement rows = query(sql);
    while (rows.executeStep()) {
      if (rows.getColumn(0).getInt64() != static_cast<std::int64_t>(names->size()))
        fail(names == &bodies_ ? "body" : "hand", "has ids that do not count from 0");
      names->push_back(rows.getColumn(1).getString());
    }
  }
  SQLite::Statement last = query("SELECT tick, session_s FROM tick ORDER BY tick DESC LIMIT 1");
  if (!last.executeStep()) fail("tick", "has no rows: the recording was cut off before its first");
  lastTick_ = last.getColumn(0).getInt64();
  lastTime_ = finiteNumber(last.getColumn(1), lastTick_);
  if (lastTime_ < 0) fail(fmt::format("tick {}", lastTick_), "is before the session's start");
}

/// Validates the header before a world is built from it.
void SessionReader::checkHeader() const {
  SQLite::Statement first = query("SELECT state_hash, chain FROM tick WHERE tick = 0");
  if (!first.executeStep()) fail("tick 0", "is missing");
  if (chainNext(chain_, {}, hashOf(first.getColumn(0))) != hashOf(first.getColumn(1)))
    fail("tick 0", "the chain of hashes is broken: scene, mesh files or settings were changed or lost");
}

std::optional<std::string> SessionReader::ending() const {
  try {
    SQLite::Statement row = query("SELECT text FROM event WHERE kind = 'end' ORDER BY id DESC LIMIT 1");
    if (!row.executeStep()) return std::nullopt;
    return row.getColumn(0).getString();
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
}

std::vector<SessionEvent> SessionReader::events() const {
  std::vector<SessionEvent> all;
  try {
    SQLite::Statement row = query(
        "SELECT e.tick, t.session_s, e.kind, ifnull(e.hand, -1), ifnull(e.body, -1), "
        "ifnull(e.other_body, -1), ifnull(e.goal, -1), ifnull(e.text, '') "
        "FROM event e LEFT JOIN tick t ON t.tick = e.tick ORDER BY e.id");
    while (row.executeStep()) {
      SessionEvent event;
      event.tick = row.getColumn(0).getInt64();
      event.time = finiteNumber(row.getColumn(1), event.tick);
      event.kind = row.getColumn(2).getString();
      event.hand = row.getColumn(3).getInt();
      event.body = row.getColumn(4).getInt();
      event.other = row.getColumn(5).getInt();
      event.goal = row.getColumn(6).getInt();
      event.text = row.getColumn(7).getString();
      all.push_back(std::move(event));
    }
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
  return all;
}

std::vector<ContactEpisode> SessionReader::episodes() const {
  std::vector<ContactEpisode> all;
  try {
    SQLite::Statement row = query(
        "SELECT e.body_i, e.body_j, e.first_tick, e.last_tick, f.session_s, l.session_s, e.loaded_ticks, "
        "e.peak_force_n, e.peak_tick, e.mean_force_n FROM contact_episode e "
        "LEFT JOIN tick f ON f.tick = e.first_tick LEFT JOIN tick l ON l.tick = e.last_tick ORDER BY e.id");
    while (row.executeStep()) {
      ContactEpisode& episode = all.emplace_back();
      const auto number = [&](int k) { return finiteNumber(row.getColumn(k), episode.firstTick); };
      episode.i = row.getColumn(0).getInt();
      episode.j = row.getColumn(1).getInt();
      const auto isBody = [&](int id) { return id >= 0 && id < static_cast<int>(bodies_.size()); };
      if (!isBody(episode.i) || !isBody(episode.j)) fail("contact_episode", "names a body that is not there");
      episode.firstTick = row.getColumn(2).getInt64();
      episode.lastTick = row.getColumn(3).getInt64();
      episode.start = number(4);
      episode.end = number(5);
      episode.loadedTicks = row.getColumn(6).getInt64();
      episode.peakForce = number(7);
      episode.peakTick = row.getColumn(8).getInt64();
      episode.forceSum = number(9);
      episode.convergedTicks = 1;  // the table has the mean, not the sum
    }
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
  return all;
}

std::vector<RecordedGoal> SessionReader::goals() const {
  std::vector<RecordedGoal> all;
  try {
    SQLite::Statement row = query(
        "SELECT p.name || ' into ' || i.name || '/' || g.hole, s.verdict, s.depth_m, g.depth_m, s.tilt_rad, "
        "s.max_push_n, g.name FROM goal g JOIN body p ON p.id = g.body JOIN body i ON i.id = g.into_body "
        "JOIN goal_state s ON s.goal = g.id WHERE s.tick = (SELECT max(tick) FROM goal_state) ORDER BY g.id");
    while (row.executeStep()) {
      const std::string what = row.getColumn(0).getString(), name = row.getColumn(6).getString();
      all.push_back({name.empty() ? what : name + " (" + what + ")", row.getColumn(1).getString(),
                     row.getColumn(2).getDouble(), row.getColumn(3).getDouble(), row.getColumn(4).getDouble(),
                     row.getColumn(5).getDouble()});
    }
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
  return all;
}

std::vector<std::int64_t> SessionReader::returnTargets() const {
  std::vector<std::int64_t> all;
  try {
    SQLite::Statement row =
        query("SELECT DISTINCT to_tick FROM command WHERE to_tick IS NOT NULL ORDER BY to_tick");
    while (row.executeStep()) all.push_back(row.getColumn(0).getInt64());
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
  return all;
}

double SessionReader::finiteNumber(const SQLite::Column& column, std::int64_t tick) const {
  const int type = column.getType();
  const double value = type == SQLite::FLOAT || type == SQLite::INTEGER ? column.getDouble() : std::nan("");
  if (!std::isfinite(value))
    fail(fmt::format("tick {}", tick), fmt::format("{} is not a finite number", column.getName()));
  return value;
}

physics::Pose SessionReader::poseOf(const SQLite::Statement& row, int first, std::int64_t tick) const {
  const auto at = [&](int k) { return finiteNumber(row.getColumn(first + k), tick); };
  physics::Pose X;
  X.p = {at(0), at(1), at(2)};
  X.q = physics::Quaterniond(at(3), at(4), at(5), at(6));
  return X;
}

void SessionReader::readCommands(RecordedStep& tick) {
  tick.commands.clear();
  tick.changes.clear();
  for (; moreCommands_; moreCommands_ = commands_->executeStep()) {
    const std::int64_t at = commands_->getColumn(0).getInt64();
    if (at > tick.tick) return;
    if (at < tick.tick) fail(fmt::format("tick {}", at), "has commands but is missing");
    const std::string kind = commands_->getColumn(1).getString();
    const auto index = [&](int k) {
      return commands_->isColumnNull(k) ? -1 : commands_->getColumn(k).getInt();
    };
    CommandRow row{kind, index(2), index(3), {}, {}, {}, 0};
    if (!commands_->isColumnNull(4)) row.X = poseOf(*commands_, 4, at);
    if (kind == "return" || kind == "solver" || kind == "rate") {
      readChange(tick, row);
      continue;
    }
    const auto command = commandOf(row);
    if (!command) fail(fmt::format("tick {}", at), fmt::format("has a command \"{}\" that is none", kind));
    tick.commands.push_back(*command);
  }
}

/// The current row of commands_.
void SessionReader::readChange(RecordedStep& tick, CommandRow& row) const {
  const std::string place = fmt::format("tick {}", tick.tick);
  if (!tick.commands.empty()) fail(place, fmt::format("has \"{}\" after a command", row.kind));
  const std::string solver = commands_->getColumn(12).getString();
  if (!commands_->isColumnNull(11)) row.toTick = commands_->getColumn(11).getInt64();
  if (!commands_->isColumnNull(13)) row.rate = finiteNumber(commands_->getColumn(13), tick.tick);
  row.solver = solver;
  const auto change = changeOf(row);
  if (!change) fail(place, fmt::format("has a command \"{}\" that is none", row.kind));
  if (row.toTick && (*row.toTick < 0 || *row.toTick >= tick.tick))
    fail(place, fmt::format("returns to tick {}, which is not before it", *row.toTick));
  tick.changes.push_back(*change);
}

void SessionReader::readStates(RecordedStep& tick) {
  tick.states.resize(bodies_.size());
  for (; moreStates_; moreStates_ = states_->executeStep()) {
    const std::int64_t at = states_->getColumn(0).getInt64();
    if (at > tick.tick) return;
    const int body = states_->getColumn(1).getInt();
    if (at < tick.tick || !tick.keyframe || body < 0 || static_cast<std::size_t>(body) >= bodies_.size())
      fail(fmt::format("tick {}", at), fmt::format("has a state of body {} that should not be there", body));
    physics::BodyState& state = tick.states[static_cast<std::size_t>(body)];
    const auto number = [&](int k) { return finiteNumber(states_->getColumn(k), at); };
    state.X_WC = poseOf(*states_, 2, at);
    state.v = {number(9), number(10), number(11)};
    state.omega = {number(12), number(13), number(14)};
  }
}

void SessionReader::advance(RecordedStep& tick) {
  tick.tick = ticks_->getColumn(0).getInt64();
  if (tick.tick != expected_) fail(fmt::format("tick {}", expected_), "is missing");
  ++expected_;
  tick.time = finiteNumber(ticks_->getColumn(1), tick.tick);
  tick.stateHash = hashOf(ticks_->getColumn(2));
  tick.keyframe = ticks_->getColumn(4).getInt() != 0;
  if (tick.keyframe != (tick.tick % header_.keyframeEvery == 0))
    fail(fmt::format("tick {}", tick.tick),
         tick.keyframe ? "is no keyframe, and says so" : "has lost its keyframe");
  readCommands(tick);
  readStates(tick);
  chain_ = chainNext(chain_, tick.commands, tick.stateHash, tick.changes);
  if (chain_ != hashOf(ticks_->getColumn(3)))
    fail(fmt::format("tick {}", tick.tick), "the chain of hashes is broken: something was changed or lost");
  if (tick.keyframe && physics::stateHash(tick.states) != tick.stateHash)
    fail(fmt::format("tick {}", tick.tick), "its states are not those that were recorded (another hash)");
}

bool SessionReader::next(RecordedStep& tick) {
  try {
    if (!ticks_->executeStep()) {
      if (moreCommands_) fail("command", fmt::format("has rows after tick {}, the last", lastTick_));
      if (moreStates_) fail("body_state", fmt::format("has rows after tick {}, the last", lastTick_));
      return false;
    }
    advance(tick);
    return true;
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
}

}  // namespace tenon::runtime
