// See worker_service.h.
#include "runtime/service/worker/worker_service.h"

#include <fmt/format.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "content/input/input_error.h"
#include "runtime/record/session_reader.h"
#include "runtime/report/scene_survey.h"
#include "runtime/service/messages/state_messages.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/worker/state_stream.h"
#include "runtime/service/worker/stored_scene.h"
#include "runtime/service/worker/web_documents.h"
#include "runtime/session/verify_session.h"

namespace tenon::service {

namespace {

using grpc::StatusCode;

constexpr std::int64_t kMaxSteps = 1'000'000;  ///< of one call

SessionSettings settingsOf(const worker::BeginJob& job) {
  const v1::CreateSessionRequest& request = job.request();
  SessionSettings settings;
  if (!request.solver().empty()) settings.run.solver.name = request.solver();
  if (!request.accuracy().empty()) settings.run.solver.accuracy = request.accuracy();
  if (settings.run.solver.accuracy != "exact" && settings.run.solver.accuracy != "fast")
    throw content::InputError("--accuracy", request.accuracy(), "is not an accuracy", "give exact or fast");
  // Sorted: the order of a message's map is not fixed.
  const std::map<std::string, std::string> options(request.solver_options().begin(),
                                                   request.solver_options().end());
  for (const auto& [name, value] : options) settings.run.solver.options.push_back(name + "=" + value);
  settings.run.rate = request.rate();
  settings.run.seed = request.seed();
  settings.run.threads = request.threads() == 0 ? 1 : request.threads();
  settings.scripted = !request.free_hands();
  if (!job.record_file().empty()) settings.record = job.record_file();
  return settings;
}

/// True when the client has canceled the call, its deadline has passed, or its connection has ended.
ServedSession::Canceled canceledBy(const grpc::ServerContext& context) {
  return [&context] { return context.IsCancelled(); };
}

}  // namespace

std::shared_ptr<ServedSession> WorkerService::session() {
  const std::lock_guard lock(mutex_);
  if (!session_) throw StatusError(StatusCode::FAILED_PRECONDITION, "this process has no session");
  return session_;
}

bool WorkerService::finish(const std::string& reason) {
  std::shared_ptr<ServedSession> ended;
  {
    const std::lock_guard lock(mutex_);
    ended = session_;
  }
  return !ended || ended->finish(reason);
}

grpc::Status WorkerService::Describe(Context* /*context*/, const worker::SceneJob* job, v1::Scene* scene) {
  return guarded([&] { *scene = describe(*loadStored(job->scene(), job->parameters()).scene); });
}

grpc::Status WorkerService::Check(Context* /*context*/, const worker::SceneJob* job,
                                  v1::CheckSceneResponse* response) {
  return guarded([&] {
    const runtime::LoadedScene loaded = loadStored(job->scene(), job->parameters());
    response->set_json(runtime::toJson(runtime::surveyOf(*loaded.scene)));
  });
}

grpc::Status WorkerService::Verify(Context* context, const worker::VerifyJob* job,
                                   v1::VerifyRecordResponse* response) {
  return guarded([&] {
    runtime::SessionReader session(job->file());
    const auto start = std::chrono::steady_clock::now();
    const runtime::SessionVerification verification =
        runtime::verifySession(session, [&](double) { return !context->IsCancelled(); });
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    response->set_verified(verification.isVerified());
    response->set_text(runtime::verificationText(session, verification, wall));
  });
}

grpc::Status WorkerService::ExportRecord(Context* context, const worker::ExportRecordJob* job,
                                         grpc::ServerWriter<worker::DocumentChunk>* writer) {
  return guarded([&] {
    writeChunks(recordDocument(job->file(), [context] { return context->IsCancelled(); }), *writer);
  });
}

grpc::Status WorkerService::DescribeLive(Context* /*context*/, const worker::DescribeLiveJob* job,
                                         grpc::ServerWriter<worker::DocumentChunk>* writer) {
  return guarded([&] {
    const std::shared_ptr<ServedSession> served = session();
    const std::lock_guard lock(liveDocumentMutex_);
    if (liveDocument_.empty()) liveDocument_ = liveDocumentOf(*served, job->session());
    writeChunks(liveDocument_, *writer);
  });
}

grpc::Status WorkerService::WatchLive(Context* context, const v1::WatchRequest* request,
                                      grpc::ServerWriter<worker::LiveFrame>* writer) {
  return guarded([&] {
    const StreamSettings settings{request->rate(), false, true};
    requireValid(settings);
    const std::shared_ptr<ServedSession> served = session();
    LiveFrameMaker frames(*served);
    writeObservations(
        *served, settings,
        [&](const ServedSession::Observation& newest, const std::vector<v1::Event>& events) {
          return writer->Write(frames.frame(newest, events));
        },
        [context] { return context->IsCancelled(); });
  });
}

grpc::Status WorkerService::Begin(Context* /*context*/, const worker::BeginJob* job, v1::Session* session) {
  return guarded([&] {
    const SessionSettings settings = settingsOf(*job);
    auto begun =
        std::make_shared<ServedSession>(loadStored(job->scene(), job->request().parameters()), settings);
    session->set_rate(begun->startRate());
    session->set_solver(settings.run.solver.name);
    *session->mutable_scene() = describe(begun->scene());
    *session->mutable_parameters() = job->request().parameters();
    const std::lock_guard lock(mutex_);
    if (session_) throw StatusError(StatusCode::FAILED_PRECONDITION, "this process has a session already");
    session_ = std::move(begun);
  });
}

grpc::Status WorkerService::Step(Context* context, const v1::StepRequest* request, v1::State* state) {
  return guarded([&] {
    if (request->steps() < 1 || request->steps() > kMaxSteps)
      throw content::InputError("StepRequest", "steps", fmt::format("{} is out of range", request->steps()),
                                fmt::format("give a whole number from 1 to {}", kMaxSteps));
    *state = session()->step(request->steps(), canceledBy(*context));
  });
}

grpc::Status WorkerService::Apply(Context* context, const v1::ApplyRequest* request,
                                  v1::ApplyResponse* /*response*/) {
  constexpr std::int64_t kNoLease = 0;
  return guarded([&] {
    session()->apply({request->commands().begin(), request->commands().end()}, kNoLease,
                     canceledBy(*context));
  });
}

grpc::Status WorkerService::Control(Context* context, const v1::ControlRequest* request, v1::Pace* pace) {
  return guarded([&] { *pace = session()->control(*request, canceledBy(*context)); });
}

grpc::Status WorkerService::GetState(Context* /*context*/, const v1::GetStateRequest* /*request*/,
                                     v1::State* state) {
  return guarded([&] { *state = session()->state(); });
}

grpc::Status WorkerService::Watch(Context* context, const v1::WatchRequest* request,
                                  grpc::ServerWriter<v1::State>* writer) {
  return guarded([&] {
    const StreamSettings settings{request->rate(), request->changes_only(), false};
    requireValid(settings);
    writeStates(
        *session(), settings, [writer](const v1::State& state) { return writer->Write(state); },
        [context] { return context->IsCancelled(); });
  });
}

grpc::Status WorkerService::Hands(Context* context,
                                  grpc::ServerReaderWriter<v1::State, v1::HandsRequest>* stream) {
  return guarded([&] {
    const std::shared_ptr<ServedSession> served = session();
    v1::HandsRequest request;
    if (!stream->Read(&request) || !request.has_begin())
      throw content::InputError("HandsRequest", "begin", "is missing", "begin the stream with it");
    const v1::BeginHands begin = request.begin();
    const StreamSettings settings{begin.rate(), false, false};
    requireValid(settings);
    const std::int64_t lease = served->lease({begin.hands().begin(), begin.hands().end()});
    // A second thread reads: an error of the client ends the stream with its status.
    std::atomic<bool> ended{false};
    grpc::Status failure;
    std::thread reader([&] {
      failure = guarded([&] {
        while (stream->Read(&request)) {
          if (request.has_sample())
            served->follow(request.sample(), lease);
          else if (request.has_command())
            served->apply({request.command()}, lease);
          else
            throw content::InputError("HandsRequest", "request", "is not a sample or a command",
                                      "give begin once, then samples and commands");
        }
      });
      ended = true;
    });
    const grpc::Status written = guarded([&] {
      writeStates(
          *served, settings, [stream](const v1::State& state) { return stream->Write(state); },
          [&] { return ended || context->IsCancelled(); });
    });
    if (!ended) context->TryCancel();  // ends Read()
    reader.join();
    guarded([&] { served->endLease(lease); });  // fails only if the session has ended, and its hands with it
    requireOk(failure);
    requireOk(written);
  });
}

grpc::Status WorkerService::Snapshot(Context* context, const v1::SnapshotRequest* /*request*/,
                                     v1::SnapshotResponse* response) {
  return guarded([&] { response->set_snapshot(session()->snapshot(canceledBy(*context))); });
}

grpc::Status WorkerService::Restore(Context* context, const v1::RestoreRequest* request, v1::State* state) {
  return guarded([&] { *state = session()->restore(request->snapshot(), canceledBy(*context)); });
}

grpc::Status WorkerService::Measure(Context* /*context*/, const worker::MeasureJob* /*job*/,
                                    worker::Measurement* measurement) {
  return guarded([&] {
    const ServedSession::Counters counters = session()->counters();
    measurement->set_steps(counters.steps);
    measurement->set_step_time(1e-9 * static_cast<double>(counters.stepTime_ns));
    measurement->set_played_steps(counters.played);
    measurement->set_dropped_steps(counters.dropped);
    measurement->set_lateness(1e-9 * static_cast<double>(counters.lateness_ns));
    measurement->set_streams(counters.streams);
  });
}

grpc::Status WorkerService::Finish(Context* /*context*/, const worker::FinishJob* job,
                                   v1::CloseSessionResponse* response) {
  return guarded([&] { response->set_record_complete(finish(job->reason())); });
}

}  // namespace tenon::service
