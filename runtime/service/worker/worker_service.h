// The calls of a worker process: one session, or jobs without one.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "runtime/service/worker/served_session.h"
#include "runtime/study/study_case.h"
#include "worker/worker.grpc.pb.h"

namespace tenon::service {

/// A study whose plan and scene are checked.
struct PreparedStudy {
  runtime::StudyScene scene;
  std::string file;  ///< of results
  int threads = 1;
};

/// Its caller, the server, has checked the rights of its client.
class WorkerService final : public worker::Worker::Service {
 public:
  /// Ends the session, if there is one.
  bool finish(const std::string& reason);

 private:
  using Context = grpc::ServerContext;
  using Status = grpc::Status;

  Status Describe(Context* context, const worker::SceneJob* job, v1::Scene* scene) override;
  Status Check(Context* context, const worker::SceneJob* job, v1::CheckSceneResponse* response) override;
  Status Verify(Context* context, const worker::VerifyJob* job, v1::VerifyRecordResponse* response) override;
  Status Report(Context* context, const worker::ReportJob* job, worker::ReportResponse* response) override;
  Status Thumbnail(Context* context, const worker::ThumbnailJob* job,
                   v1::ThumbnailResponse* response) override;
  Status Solve(Context* context, const v1::SolveRequest* request, v1::SolveResponse* response) override;
  Status PrepareStudy(Context* context, const worker::StudyJob* job,
                      worker::PrepareStudyResponse* response) override;
  Status Study(Context* context, const worker::RunStudyJob* job,
               grpc::ServerWriter<v1::Study>* writer) override;
  Status StopStudy(Context* context, const worker::StopStudyJob* job,
                   worker::StopStudyResponse* response) override;
  Status StudyReport(Context* context, const worker::StudyReportJob* job,
                     grpc::ServerWriter<worker::DocumentChunk>* writer) override;
  Status Begin(Context* context, const worker::BeginJob* job, v1::Session* session) override;
  Status Step(Context* context, const v1::StepRequest* request, v1::State* state) override;
  Status Apply(Context* context, const v1::ApplyRequest* request, v1::ApplyResponse* response) override;
  Status Control(Context* context, const v1::ControlRequest* request, v1::Pace* pace) override;
  Status GetState(Context* context, const v1::GetStateRequest* request, v1::State* state) override;
  Status Watch(Context* context, const v1::WatchRequest* request,
               grpc::ServerWriter<v1::State>* writer) override;
  Status ExportRecord(Context* context, const worker::ExportRecordJob* job,
                      grpc::ServerWriter<worker::DocumentChunk>* writer) override;
  Status DescribeLive(Context* context, const worker::DescribeLiveJob* job,
                      grpc::ServerWriter<worker::DocumentChunk>* writer) override;
  Status WatchLive(Context* context, const v1::WatchRequest* request,
                   grpc::ServerWriter<worker::LiveFrame>* writer) override;
  Status Hands(Context* context, grpc::ServerReaderWriter<v1::State, v1::HandsRequest>* stream) override;
  Status Snapshot(Context* context, const v1::SnapshotRequest* request,
                  v1::SnapshotResponse* response) override;
  Status Restore(Context* context, const v1::RestoreRequest* request, v1::State* state) override;
  Status Measure(Context* context, const worker::MeasureJob* job, worker::Measurement* measurement) override;
  Status Finish(Context* context, const worker::FinishJob* job, v1::CloseSessionResponse* response) override;

  std::shared_ptr<ServedSession> session();

  std::mutex mutex_;
  std::shared_ptr<ServedSession> session_;
  std::optional<PreparedStudy> study_;
  std::atomic<bool> stopStudy_{false};
  std::mutex liveDocumentMutex_;
  std::string liveDocument_;  ///< compressed; made for the first observer
};

}  // namespace tenon::service
