// Opens a file of a session: what it is, whether it is whole, its header and its names.
#include "runtime/record/session_reader.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "content/input/wording.h"
#include "content/reader/load_scene.h"
#include "physics/body/state_hash.h"
#include "runtime/record/contact_table.h"
#include "runtime/record/hash_chain.h"
#include "runtime/record/schema.h"

namespace tenon::runtime {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRemedy = "take another copy; what can be saved, sqlite3 FILE .recover saves";

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
    if (format_ < 4) database_->exec(kBeforeFormat4);
    if (format_ < 5) database_->exec(kBeforeFormat5);
    if (format_ < 6) database_->exec(kBeforeFormat6);
    readHeader();
    if (format_ >= 6) addContactTable(*database_);
    readMeshFiles();
    readNames();
    chain_ = chainStart(header_);
    checkHeader();
    ticks_ = std::make_unique<SQLite::Statement>(
        *database_, "SELECT tick, session_s, state_hash, chain, keyframe FROM tick ORDER BY tick");
    commands_ = std::make_unique<SQLite::Statement>(*database_,
                                                    "SELECT c.tick, kind, hand, body, px_m, py_m, pz_m, qw, "
                                                    "qx, qy, qz, to_tick, solver, rate_hz, "
                                                    "gravity_x_m_per_s2, gravity_y_m_per_s2, "
                                                    "gravity_z_m_per_s2, linear_damping_per_s, "
                                                    "angular_damping_per_s, restitution, thruster, level, "
                                                    "c.seq, last_tick "
                                                    "FROM command c LEFT JOIN command_value v "
                                                    "ON v.tick = c.tick AND v.seq = c.seq "
                                                    "ORDER BY c.tick, c.seq");
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
  const auto require = [&](const std::string& column) {
    if (!std::binary_search(there.begin(), there.end(), column)) fail(column, "is missing");
  };
  for (const std::string& column : due) {
    const auto came = [&](const auto& with) { return std::binary_search(with.begin(), with.end(), column); };
    if ((format_ < 2 && came(kSinceFormat2)) || (format_ < 3 && came(kSinceFormat3)) ||
        (format_ < 4 && came(kSinceFormat4)) || (format_ < 5 && came(kSinceFormat5)) ||
        (format_ < 6 && came(kSinceFormat6)))
      continue;
    require(column);
  }
  if (format_ < 6)
    for (const char* column : kUntilFormat6) require(column);
}

void SessionReader::readHeader() {
  SQLite::Statement row = query(
      "SELECT started_utc, version, sources, arithmetic, compiler, processor, cpu_features, c_library, "
      "build, "
      "system, scene_file, scene_text, solver, rate_hz, seed, threads, keyframe_every FROM session");
  if (!row.executeStep()) fail("session", "has no row");
  std::string* const texts[] = {&header_.started,
                                &header_.program.version,
                                &header_.program.sources,
                                &header_.program.arithmetic,
                                &header_.program.compiler,
                                &header_.program.processor,
                                &header_.program.cpuFeatures,
                                &header_.program.cLibrary,
                                &header_.program.build,
                                &header_.program.system,
                                &header_.sceneFile,
                                &header_.sceneText,
                                &header_.solver};
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

}  // namespace tenon::runtime
