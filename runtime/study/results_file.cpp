// Tables: study (one row) and result, whose columns v0, v1, … and o0, o1, … are the plan's variables and
// outputs.
#include "runtime/study/results_file.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>

#include "content/input/input_error.h"
#include "content/input/parse_json.h"

namespace tenon::runtime {

namespace {

using content::InputError;

constexpr int kStudyId = 0x544E5359;  ///< "TNSY", in the header of the SQLite file
constexpr int kBusyWait_ms = 60000;

SQLite::Database openFile(const std::string& file, int flags) {
  try {
    return SQLite::Database(file, flags, kBusyWait_ms);
  } catch (const SQLite::Exception& error) {
    throw InputError(file, "", std::string("cannot be opened: ") + error.what(),
                     "name a results file that can be read and written");
  }
}

std::string changedField(const std::string& before, const std::string& after) {
  const nlohmann::json a = nlohmann::json::parse(before), b = nlohmann::json::parse(after);
  const nlohmann::json difference = nlohmann::json::diff(a, b);
  return difference.empty() ? "" : difference[0].at("path").get<std::string>();
}

std::string columnsOf(const StudyPlan& plan, const char* type) {
  std::string columns;
  for (std::size_t k = 0; k < plan.variables.size(); ++k) columns += fmt::format(", v{}{}", k, type);
  for (std::size_t k = 0; k < plan.outputs.size(); ++k) columns += fmt::format(", o{}", k);
  return columns;
}

constexpr const char* kFixed =
    "number, success, verdict, cause, peak_push_n, depth_m, tilt_rad, time_s, clearance_m";
constexpr int kFixedCount = 9;

CaseResult storedCase(const SQLite::Statement& row, const StudyPlan& plan) {
  CaseResult result;
  result.number = row.getColumn(0).getInt64();
  result.success = row.getColumn(1).getInt() != 0;
  result.verdict = row.getColumn(2).getString();
  result.cause = row.getColumn(3).getString();
  double* const numbers[] = {&result.peakPush, &result.depth, &result.tilt, &result.time, &result.clearance};
  for (int k = 0; k < 5; ++k) *numbers[k] = row.getColumn(4 + k).getDouble();
  int column = kFixedCount;
  for (std::size_t k = 0; k < plan.variables.size(); ++k)
    result.values.push_back(row.getColumn(column++).getDouble());
  for (std::size_t k = 0; k < plan.outputs.size(); ++k)
    result.outputs.push_back(row.getColumn(column++).getString());
  return result;
}

void bindRow(SQLite::Statement& row, const CaseResult& result) {
  int column = 0;
  row.bind(++column, result.number);
  row.bind(++column, result.success ? 1 : 0);
  row.bind(++column, result.verdict);
  row.bind(++column, result.cause);
  for (const double number : {result.peakPush, result.depth, result.tilt, result.time, result.clearance})
    row.bind(++column, number);
  for (const double value : result.values) row.bind(++column, value);
  for (const std::string& output : result.outputs) row.bind(++column, output);
}

}  // namespace

ResultsFile::ResultsFile(const std::string& file, const StudyScene& scene, Shard shard)
    : file_(file), database_(openFile(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)), shard_(shard) {
  try {
    if (database_.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0) create(scene);
    readHeader();
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() == SQLITE_FULL) failToWrite(error);
    throw InputError(file_, "", std::string("cannot be used: ") + error.what(),
                     "name another file with --out");
  }
  requireSame(scene, shard);
}

ResultsFile::ResultsFile(const std::string& file)
    : file_(file), database_(openFile(file, SQLite::OPEN_READONLY)) {
  try {
    readHeader();
  } catch (const SQLite::Exception& error) {
    throw InputError(file_, "", std::string("cannot be read: ") + error.what(),
                     "name a file that tenon study wrote");
  }
}

void ResultsFile::create(const StudyScene& scene) {
  SQLite::Transaction transaction(database_);
  database_.exec(fmt::format("PRAGMA application_id = {}", kStudyId));
  database_.exec("CREATE TABLE study(plan_file TEXT, plan TEXT, fingerprint TEXT, shard INT, shards INT)");
  SQLite::Statement insert(database_, "INSERT INTO study VALUES(?, ?, ?, ?, ?)");
  insert.bind(1, std::filesystem::absolute(scene.plan().file).string());
  insert.bind(2, scene.plan().text);
  insert.bind(3, scene.fingerprint());
  insert.bind(4, shard_.index);
  insert.bind(5, shard_.count);
  insert.exec();
  database_.exec(
      "CREATE TABLE result(number INTEGER PRIMARY KEY, success INT, verdict TEXT, cause TEXT, peak_push_n "
      "REAL, "
      "depth_m REAL, tilt_rad REAL, time_s REAL, clearance_m REAL" +
      columnsOf(scene.plan(), " REAL") + ")");
  transaction.commit();
}

void ResultsFile::readHeader() {
  if (database_.execAndGet("PRAGMA application_id").getInt() != kStudyId)
    throw InputError(file_, "", "holds no results of a study", "name a file that tenon study wrote");
  SQLite::Statement header(database_, "SELECT plan_file, plan, fingerprint, shard, shards FROM study");
  if (!header.executeStep())
    throw InputError(file_, "", "holds no plan", "run the study again into another file");
  plan_ = parsePlan(header.getColumn(1).getString(), header.getColumn(0).getString());
  fingerprint_ = header.getColumn(2).getString();
  shard_ = {header.getColumn(3).getInt(), header.getColumn(4).getInt()};
}

void ResultsFile::requireSame(const StudyScene& scene, Shard shard) const {
  const std::string remedy = "restore it, or write to another file with --out";
  const std::string changed = changedField(plan_.text, scene.plan().text);
  if (!changed.empty())
    throw InputError(scene.plan().file, changed, "has changed since " + file_ + " was begun", remedy);
  if (fingerprint_ != scene.fingerprint())
    throw InputError(scene.plan().scene, "", "or a file of it has changed since " + file_ + " was begun",
                     remedy);
  if (shard.index != shard_.index || shard.count != shard_.count)
    throw InputError(file_, "", fmt::format("is shard {}/{} of its plan", shard_.index + 1, shard_.count),
                     "give the same --shard, or another file with --out");
}

void ResultsFile::failToWrite(const SQLite::Exception& error) const {
  throw InputError(file_, "", std::string("cannot be written: ") + error.what(),
                   error.getErrorCode() == SQLITE_FULL || error.getErrorCode() == SQLITE_IOERR
                       ? "free space on its disk, then give the same command again: it goes on"
                       : "check that it is writable and undamaged, or name another file with --out");
}

void ResultsFile::add(std::span<const CaseResult> results) {
  if (results.empty()) return;
  const std::size_t columns = kFixedCount + plan_.variables.size() + plan_.outputs.size();
  std::string marks = "?";
  for (std::size_t k = 1; k < columns; ++k) marks += ", ?";
  try {
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insert(database_, "INSERT OR IGNORE INTO result VALUES(" + marks + ")");
    for (const CaseResult& result : results) {
      bindRow(insert, result);
      insert.exec();
      insert.reset();
    }
    transaction.commit();
  } catch (const SQLite::Exception& error) {
    failToWrite(error);
  }
}

void ResultsFile::truncate(std::int64_t count) {
  try {
    SQLite::Statement remove(database_, "DELETE FROM result WHERE number >= ?");
    remove.bind(1, count);
    remove.exec();
  } catch (const SQLite::Exception& error) {
    failToWrite(error);
  }
}

void ResultsFile::forEach(const std::function<void(const CaseResult&)>& receive) const {
  try {
    SQLite::Statement rows(
        database_, fmt::format("SELECT {}{} FROM result ORDER BY number", kFixed, columnsOf(plan_, "")));
    while (rows.executeStep()) receive(storedCase(rows, plan_));
  } catch (const SQLite::Exception& error) {
    throw InputError(file_, "", std::string("cannot be read: ") + error.what(),
                     "restore it from a copy, or run the study again into another file");
  }
}

}  // namespace tenon::runtime
