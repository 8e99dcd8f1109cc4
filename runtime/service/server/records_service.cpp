// tenon.v1.Records.

#include <utility>

#include "runtime/service/messages/status.h"
#include "runtime/service/server/database_copy.h"
#include "runtime/service/server/record_files.h"
#include "runtime/service/server/services.h"
#include "runtime/service/server/worker_job.h"
#include "tenon/v1/records.grpc.pb.h"

namespace tenon::service {

namespace {

using grpc::StatusCode;

constexpr std::chrono::hours kVerifyLimit{1};  ///< steps are computed again

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
      const Caller caller = parts_.access.require(*context, Role::observe);
      sendCopy(parts_.downloads, caller.name, existingRecord(parts_.sessions, request->id()), *writer);
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
      for (std::size_t begin = 0; begin < response.html().size(); begin += kCopyChunkBytes) {
        v1::RecordChunk chunk;
        chunk.set_data(response.html().substr(begin, kCopyChunkBytes));
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
