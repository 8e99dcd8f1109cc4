// Studies in a worker: their cases, and their reports.
#include <grpcpp/server_context.h>

#include <chrono>
#include <string>

#include "runtime/service/messages/status.h"
#include "runtime/service/messages/study_end.h"
#include "runtime/service/worker/stored_scene.h"
#include "runtime/service/worker/web_documents.h"
#include "runtime/service/worker/worker_service.h"
#include "runtime/study/study.h"
#include "runtime/study/study_tables.h"

namespace tenon::service {

namespace {

using std::chrono::steady_clock;

constexpr const char* kPlanName = "plan";  ///< in messages
constexpr std::chrono::milliseconds kProgressInterval{500};
constexpr std::size_t kReportChunkBytes = 256 * 1024;

v1::Study progressMessage(const runtime::StudyProgress& now) {
  v1::Study message;
  message.set_cases(now.total);
  message.set_done(now.done);
  message.set_successes(now.successes);
  message.set_yield(now.yield.yield);
  message.set_yield_low(now.yield.low);
  message.set_yield_high(now.yield.high);
  message.set_rate(now.rate);
  message.set_time_left(now.timeLeft);
  return message;
}

}  // namespace

grpc::Status WorkerService::PrepareStudy(Context* /*context*/, const worker::StudyJob* job,
                                         worker::PrepareStudyResponse* /*response*/) {
  return guarded([&] {
    const std::lock_guard lock(mutex_);
    study_.emplace(PreparedStudy{
        runtime::StudyScene(runtime::parsePlan(job->plan(), kPlanName), loadStored(job->scene(), {})),
        job->file(), job->threads()});
  });
}

grpc::Status WorkerService::Study(Context* context, const worker::RunStudyJob* /*job*/,
                                  grpc::ServerWriter<v1::Study>* writer) {
  return guarded([&] {
    const std::lock_guard lock(mutex_);
    if (!study_) throw StatusError(grpc::StatusCode::FAILED_PRECONDITION, "no study is prepared");
    runtime::StudyOptions options;
    options.threads = study_->threads;
    options.stopRequested = [&] { return stopStudy_ || context->IsCancelled(); };
    auto due = steady_clock::time_point::min();
    const auto outcome =
        runStudy(study_->scene, study_->file, options, [&](const runtime::StudyProgress& now) {
          if (steady_clock::now() < due) return;
          due = steady_clock::now() + kProgressInterval;
          writer->Write(progressMessage(now));
        });
    v1::Study last = progressMessage(outcome.progress);
    if (outcome.complete) last.set_ended(kStudyDone);
    writer->Write(last);
  });
}

grpc::Status WorkerService::StopStudy(Context* /*context*/, const worker::StopStudyJob* /*job*/,
                                      worker::StopStudyResponse* /*response*/) {
  stopStudy_ = true;
  return grpc::Status::OK;
}

grpc::Status WorkerService::StudyReport(Context* context, const worker::StudyReportJob* job,
                                        grpc::ServerWriter<worker::DocumentChunk>* writer) {
  return guarded([&] {
    std::string bytes;
    const auto flush = [&] {
      if (context->IsCancelled()) throw StatusError(grpc::StatusCode::CANCELLED, "the call was canceled");
      writeChunks(bytes, *writer);
      bytes.clear();
    };
    writeStudyReport(runtime::ResultsFile(job->file()), job->format(), [&](const std::string& text) {
      bytes += text;
      if (bytes.size() >= kReportChunkBytes) flush();
    });
    flush();
  });
}

}  // namespace tenon::service
