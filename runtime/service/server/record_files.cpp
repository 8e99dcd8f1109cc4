// See record_files.h.
#include "runtime/service/server/record_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRecordEnding = ".tenon";

}  // namespace

bool isGrowing(const SessionTable& sessions, const std::string& id) {
  bool growing = false;
  guarded([&] { growing = sessions.find(id)->info().running(); });  // of an earlier server: it is not
  return growing;
}

std::vector<RecordFile> listRecords(const SessionTable& sessions) {
  std::vector<RecordFile> records;
  for (const fs::directory_entry& file : fs::directory_iterator(sessions.records())) {
    struct stat status {};
    if (file.path().extension() != kRecordEnding || stat(file.path().c_str(), &status) != 0) continue;
    const std::string id = file.path().stem().string();
    records.push_back({id, status.st_size, status.st_mtime, isGrowing(sessions, id)});
  }
  std::sort(records.begin(), records.end(),
            [](const RecordFile& a, const RecordFile& b) { return a.id < b.id; });
  return records;
}

std::string existingRecord(const SessionTable& sessions, const std::string& id) {
  std::string file = sessions.recordFile(id);
  if (!fs::exists(file))
    throw StatusError(grpc::StatusCode::NOT_FOUND,
                      fmt::format("the record {} is not on this server; list them", id));
  return file;
}

}  // namespace tenon::service
