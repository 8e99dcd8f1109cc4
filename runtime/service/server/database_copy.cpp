// See database_copy.h.
#include "runtime/service/server/database_copy.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace tenon::service {

namespace fs = std::filesystem;
using grpc::StatusCode;

namespace {

constexpr int kBusyTimeout_ms = 5000;  ///< while the end of a record is written
}  // namespace

std::uintmax_t databaseBytes(const std::string& file) {
  std::error_code none;
  std::uintmax_t bytes = 0;
  for (const char* const suffix : {"", "-wal"}) {
    const std::uintmax_t size = fs::file_size(file + suffix, none);
    if (!none) bytes += size;
  }
  return bytes;
}

StatusError copyError(const std::string& name, int sqliteCode, const std::string& text) {
  if (sqliteCode == SQLITE_FULL)
    return {StatusCode::RESOURCE_EXHAUSTED,
            fmt::format("{}: the server's disk is full; try again when others have ended their downloads, or "
                        "delete records",
                        name)};
  return {StatusCode::DATA_LOSS, fmt::format("{} cannot be read: {}", name, text)};
}

void readPart(std::ifstream& copy, std::string& bytes) {
  bytes.resize(kCopyChunkBytes);
  copy.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (copy.bad()) throw StatusError(StatusCode::DATA_LOSS, "the copy cannot be read to its end; try again");
  bytes.resize(static_cast<std::size_t>(copy.gcount()));
}

std::ifstream copyOfDatabase(const std::string& file, DiskSpace& space) {
  const DiskSpace::Reservation room(space, databaseBytes(file), file);
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
  } catch (const SQLite::Exception& error) {
    fs::remove(name);
    throw copyError(fs::path(file).filename().string(), error.getErrorCode(), error.what());
  } catch (...) {
    fs::remove(name);
    throw;
  }
  fs::remove(name);
  if (!isWhole || !copy)
    throw StatusError(StatusCode::UNAVAILABLE, fmt::format("{} is being written just now; try again",
                                                           fs::path(file).filename().string()));
  return copy;
}

}  // namespace tenon::service
