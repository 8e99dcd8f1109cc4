// tenon.v1.Studies.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

#include "content/input/input_error.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/server/database_copy.h"
#include "runtime/service/server/services.h"
#include "runtime/service/server/study_table.h"
#include "runtime/study/study_tables.h"
#include "tenon/v1/studies.grpc.pb.h"

namespace tenon::service {

namespace {

constexpr std::chrono::milliseconds kGoneCheck{200};  ///< whether the client of a stream is there

class StudiesService final : public v1::Studies::Service {
 public:
  explicit StudiesService(const ServiceParts& parts) : parts_(parts) {}

 private:
  using Context = grpc::ServerContext;
  using Status = grpc::Status;
  using Writer = grpc::ServerWriter<v1::StudyResultsChunk>;

  Status Start(Context* context, const v1::StartStudyRequest* request, v1::Study* study) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::work);
      *study = parts_.studies.start(*request, caller, *context);
    });
  }
  Status Resume(Context* context, const v1::ResumeStudyRequest* request, v1::Study* study) override {
    return guarded([&] {
      requireMine(*context, request->id(), "resume");
      *study = parts_.studies.resume(request->id(), *context);
    });
  }
  Status Stop(Context* context, const v1::StopStudyRequest* request, v1::Study* study) override {
    return guarded([&] {
      requireMine(*context, request->id(), "stop");
      *study = parts_.studies.stop(request->id(), "stopped");
    });
  }
  Status List(Context* context, const v1::ListStudiesRequest* /*request*/,
              v1::ListStudiesResponse* response) override {
    return guarded([&] {
      parts_.access.require(*context, Role::observe);
      for (v1::Study& study : parts_.studies.list()) *response->add_studies() = std::move(study);
    });
  }
  Status Watch(Context* context, const v1::WatchStudyRequest* request,
               grpc::ServerWriter<v1::Study>* writer) override {
    return guarded([&] {
      const ClientQuota::Slot slot(parts_.streams, parts_.access.require(*context, Role::observe).name);
      v1::Study study = parts_.studies.find(request->id());
      std::int64_t seen = -1, sent = -2;
      while (!context->IsCancelled()) {
        if (seen != sent && !writer->Write(study)) return;
        sent = seen;
        if (!study.running()) return;
        study = parts_.studies.next(request->id(), seen, std::chrono::steady_clock::now() + kGoneCheck);
      }
    });
  }
  Status Results(Context* context, const v1::StudyResultsRequest* request, Writer* writer) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::observe);
      const std::string file = parts_.studies.resultsFile(request->id());
      if (request->format() == "study")
        sendCopy(parts_.downloads, caller.name, file, *writer);
      else if (std::find(runtime::kStudyFormats.begin(), runtime::kStudyFormats.end(), request->format()) !=
               runtime::kStudyFormats.end())
        writeReport(*context, caller, file, request->format(), *writer);
      else
        throw content::InputError("StudyResultsRequest", "format", "is unknown",
                                  "give html, csv, json or study");
    });
  }
  Status Delete(Context* context, const v1::DeleteStudyRequest* request,
                v1::DeleteStudyResponse* /*response*/) override {
    return guarded([&] {
      const Caller caller = requireMine(*context, request->id(), "delete");
      parts_.studies.remove(request->id());
      parts_.log.write("study-deleted", {{"study", request->id()}, {"client", caller.name}});
    });
  }

  Caller requireMine(const Context& context, const std::string& id, const char* action) {
    const Caller caller = parts_.access.require(context, Role::work);
    requireOwner(caller, parts_.studies.find(id).owner(), "study", action);
    return caller;
  }

  void writeReport(const Context& context, const Caller& caller, const std::string& file,
                   const std::string& format, Writer& writer) {
    worker::StudyReportJob job;
    job.set_file(file);
    job.set_format(format);
    Job process(parts_.jobs, caller.name);
    const auto onward = grpc::ClientContext::FromServerContext(context);
    const auto chunks = process.stub().StudyReport(onward.get(), job);
    worker::DocumentChunk part;
    v1::StudyResultsChunk chunk;
    while (chunks->Read(&part)) {
      chunk.mutable_data()->swap(*part.mutable_data());
      if (writer.Write(chunk)) continue;
      onward->TryCancel();  // the client is gone
      break;
    }
    const Status status = chunks->Finish();
    if (status.error_code() == grpc::StatusCode::UNAVAILABLE)
      throw StatusError(grpc::StatusCode::INTERNAL, "the report: its process has crashed or does not answer");
    requireOk(status);
  }

  ServiceParts parts_;
};

}  // namespace

std::unique_ptr<grpc::Service> makeStudiesService(const ServiceParts& parts) {
  return std::make_unique<StudiesService>(parts);
}

}  // namespace tenon::service
