// The records of a server.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "runtime/service/server/session_table.h"

namespace tenon::service {

struct RecordFile {
  std::string id;  ///< of its session
  std::int64_t bytes = 0;
  std::time_t written = 0;  ///< last
  bool isGrowing = false;   ///< its session runs
};

/// By id.
std::vector<RecordFile> listRecords(const SessionTable& sessions);

/// True while the session of a record runs.
bool isGrowing(const SessionTable& sessions, const std::string& id);

/// Path of a record. Throws StatusError for an id without one.
std::string existingRecord(const SessionTable& sessions, const std::string& id);

}  // namespace tenon::service
