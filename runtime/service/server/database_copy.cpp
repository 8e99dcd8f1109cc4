// See database_copy.h.
#include "runtime/service/server/database_copy.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace fs = std::filesystem;
using grpc::StatusCode;

namespace {

constexpr int kBusyTimeout_ms = 5000;  ///< while the end of a record is written
/// What a copy leaves free of the disk, for records that grow [byte].
constexpr std::uintmax_t kSpareBytes = 64 << 20;

/// Throws StatusError if there is no room for a copy of the file beside it.
void requireRoom(const fs::path& file) {
  std::error_code failed;
  const std::uintmax_t bytes = fs::file_size(file, failed);
  const fs::space_info disk = fs::space(file.parent_path(), failed);
  if (!failed && disk.available < bytes + kSpareBytes)
    throw StatusError(
        StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("{}: the server's disk has no room for a copy of {} MB; try again when others "
                    "have ended their downloads, or delete records",
                    file.filename().string(), bytes / 1'000'000));
}

}  // namespace

std::ifstream copyOfDatabase(const std::string& file) {
  requireRoom(file);
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
