// tenon.v1.Records.
#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "runtime/service/messages/status.h"
#include "runtime/service/server/record_files.h"
#include "runtime/service/server/services.h"
#include "tenon/v1/records.grpc.pb.h"

namespace tenon::service {

namespace fs = std::filesystem;

namespace {

using grpc::StatusCode;

constexpr std::size_t kChunkBytes = 256 * 1024;
constexpr int kBusyTimeout_ms = 5000;  ///< while the end of a record is written

/// A consistent copy of a record that may be growing, without a name.
std::ifstream copyOf(const std::string& file, const std::string& folder) {
  std::string name = folder + "/.copy-XXXXXX";
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
      target.exec("PRAGMA journal_mode = DELETE");  // one file, as a record that is complete
    }
    copy.open(name, std::ios::binary);
  } catch (const std::exception& error) {
    fs::remove(name);
    throw StatusError(StatusCode::DATA_LOSS, fmt::format("the record cannot be read: {}", error.what()));
  }
  fs::remove(name);
  if (!isWhole || !copy)
    throw StatusError(StatusCode::UNAVAILABLE, "the record is being written just now; try again");
  return copy;
}

class RecordsService final : public v1::Records::Service {
 public:
  explicit RecordsService(const ServiceParts& parts) : parts_(parts) {}

 private:
  using Context = grpc::ServerContext;
  using Status = grpc::Status;

  Status List(Context* context, const v1::ListRecordsRequest* /*request*/,
              v1::ListRecordsResponse* response) override {
    return guarded([&] {
      parts_.access.require(*context, Role::observe);
      for (const RecordFile& file : listRecords(parts_.sessions)) {
        v1::Record* const record = response->add_records();
        record->set_id(file.id);
        record->set_bytes(file.bytes);
        record->set_growing(file.isGrowing);
      }
    });
  }
  Status Download(Context* context, const v1::DownloadRecordRequest* request,
                  grpc::ServerWriter<v1::RecordChunk>* writer) override {
    return guarded([&] {
      parts_.access.require(*context, Role::observe);
      std::ifstream copy = copyOf(existingRecord(parts_.sessions, request->id()), parts_.sessions.records());
      std::string bytes(kChunkBytes, '\0');
      while (copy.read(bytes.data(), kChunkBytes) || copy.gcount() > 0) {
        v1::RecordChunk chunk;
        chunk.set_data(bytes.data(), static_cast<std::size_t>(copy.gcount()));
        if (!writer->Write(chunk)) return;
      }
    });
  }
  Status Verify(Context* context, const v1::VerifyRecordRequest* request,
                v1::VerifyRecordResponse* response) override {
    return guarded([&] {
      parts_.access.require(*context, Role::work);
      worker::VerifyJob job;
      job.set_file(existingRecord(parts_.sessions, request->id()));
      WorkerProcess process;
      const auto onward = grpc::ClientContext::FromServerContext(*context);
      const Status status = process.stub().Verify(onward.get(), job, response);
      if (status.error_code() == StatusCode::UNAVAILABLE)
        throw StatusError(StatusCode::DATA_LOSS, "the process that verifies the record has crashed");
      requireOk(status);
    });
  }

  ServiceParts parts_;
};

}  // namespace

std::unique_ptr<grpc::Service> makeRecordsService(const ServiceParts& parts) {
  return std::make_unique<RecordsService>(parts);
}

}  // namespace tenon::service
