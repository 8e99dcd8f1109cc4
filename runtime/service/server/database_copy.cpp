// See database_copy.h.
#include "runtime/service/server/database_copy.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace fs = std::filesystem;
using grpc::StatusCode;

namespace {

constexpr int kBusyTimeout_ms = 5000;  ///< while the end of a record is written

}  // namespace

std::ifstream copyOfDatabase(const std::string& file) {
  std::string name = fs::path(file).parent_path().string() + "/.copy-XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw StatusError(StatusCode::RESOURCE_EXHAUSTED, "the data folder cannot be written");
  close(descriptor);
  std::ifstream copy;
  bool isWhole = false;
  try {
    {
      SQLite::Database source(file, SQLite::OPEN_READONLY, kBusyTimeout_ms);
      SQLite::Database target(name, SQLite::OPEN_READWRITE);
      constexpr int kAllPages = -1;
      SQLite::Backup backup(target, source);
      isWhole = backup.executeStep(kAllPages) == SQLITE_DONE;
    }
    if (isWhole) {
      SQLite::Database target(name, SQLite::OPEN_READWRITE);
      target.exec("PRAGMA journal_mode = DELETE");  // one file, as one that is complete
    }
    copy.open(name, std::ios::binary);
  } catch (const std::exception& error) {
    fs::remove(name);
    throw StatusError(StatusCode::DATA_LOSS,
                      fmt::format("{} cannot be read: {}", fs::path(file).filename().string(), error.what()));
  }
  fs::remove(name);
  if (!isWhole || !copy)
    throw StatusError(StatusCode::UNAVAILABLE, fmt::format("{} is being written just now; try again",
                                                           fs::path(file).filename().string()));
  return copy;
}

}  // namespace tenon::service
