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
#include "runtime/service/server/worker_job.h"
#include "tenon/v1/records.grpc.pb.h"

namespace tenon::service {

namespace fs = std::filesystem;

namespace {

using grpc::StatusCode;

constexpr std::size_t kChunkBytes = 256 * 1024;
constexpr std::chrono::hours kVerifyLimit{1};  ///< steps are computed again
constexpr int kBusyTimeout_ms = 5000;          ///< while the end of a record is written

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
  Status Report(Context* context, const v1::ReportRecordRequest* request,
                grpc::ServerWriter<v1::RecordChunk>* writer) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::observe);
      worker::ReportJob job;
      job.set_file(existingRecord(parts_.sessions, request->id()));
      worker::ReportResponse response;
      Job process(parts_.jobs, caller.name);
      runJob(process, *context, "the report", job, response, &worker::Worker::StubInterface::Report);
      for (std::size_t begin = 0; begin < response.html().size(); begin += kChunkBytes) {
        v1::RecordChunk chunk;
        chunk.set_data(response.html().substr(begin, kChunkBytes));
        if (!writer->Write(chunk)) return;
      }
    });
  }
  Status Verify(Context* context, const v1::VerifyRecordRequest* request,
                v1::VerifyRecordResponse* response) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::work);
      worker::VerifyJob job;
      job.set_file(existingRecord(parts_.sessions, request->id()));
      Job process(parts_.jobs, caller.name);
      runJob(process, *context, "the verification", job, *response, &worker::Worker::StubInterface::Verify,
             kVerifyLimit);
    });
  }

  Status Delete(Context* context, const v1::DeleteRecordRequest* request,
                v1::DeleteRecordResponse* /*response*/) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::work);
      const std::string file = existingRecord(parts_.sessions, request->id());
      requireOwner(caller, Accounts::ownerOf(file), "record", "delete");
      if (isGrowing(parts_.sessions, request->id()))
        throw StatusError(StatusCode::FAILED_PRECONDITION,
                          "the record is being written; close its session first");
      Accounts::remove(file);
      parts_.log.write("record-deleted", {{"record", request->id()}, {"client", caller.name}});
    });
  }

  ServiceParts parts_;
};

}  // namespace

std::unique_ptr<grpc::Service> makeRecordsService(const ServiceParts& parts) {
  return std::make_unique<RecordsService>(parts);
}

}  // namespace tenon::service
