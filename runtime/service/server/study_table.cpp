// See study_table.h.
#include "runtime/service/server/study_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "content/input/input_error.h"
#include "runtime/service/messages/scene_id.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/messages/study_end.h"
#include "runtime/service/server/session_table.h"
#include "runtime/service/server/worker_job.h"
#include "runtime/session/atomic_file.h"

namespace tenon::service {

namespace fs = std::filesystem;

namespace {

using grpc::StatusCode;

constexpr const char *kResults = ".study", *kRequest = ".request";
constexpr std::chrono::seconds kStopLimit{30};  ///< for the case that is computed, and the file
constexpr std::chrono::seconds kStopRequestLimit{2};

/// Lets the worker end the study between two cases, and count them. False: it does not answer.
bool requestStop(WorkerProcess& process) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kStopRequestLimit);
  worker::StopStudyResponse response;
  return process.stub().StopStudy(&context, {}, &response).ok();
}

}  // namespace

StudyTable::StudyTable(std::string folder, const ServeOptions& options, SceneStore& scenes,
                       Accounts& accounts, ServiceLog& log)
    : folder_(std::move(folder)), options_(options), scenes_(scenes), accounts_(accounts), log_(log) {}

StudyTable::~StudyTable() {
  stopAll("the server was stopped");
}

std::string StudyTable::fileOf(const std::string& id, const char* ending) const {
  if (!isId(id, kSessionDigits))
    throw StatusError(StatusCode::INVALID_ARGUMENT,
                      "id: is not one of 16 hexadecimal digits; give that of a study");
  return fmt::format("{}/{}{}", folder_, id, ending);
}

std::string StudyTable::resultsFile(const std::string& id) const {
  std::string file = fileOf(id, kResults);
  if (!fs::exists(file))
    throw StatusError(StatusCode::NOT_FOUND,
                      fmt::format("the study {} is not on this server; list them", id));
  return file;
}

v1::StartStudyRequest StudyTable::requestOf(const std::string& id) const {
  std::ifstream file(fileOf(id, kRequest), std::ios::binary);
  v1::StartStudyRequest request;
  if (!file || !request.ParseFromIstream(&file))
    throw StatusError(StatusCode::DATA_LOSS, fmt::format("the study {} is damaged; delete it", id));
  return request;
}

v1::Study StudyTable::stored(const std::string& id) const {
  v1::Study study;
  study.set_owner(Accounts::ownerOf(resultsFile(id)));
  study.set_id(id);
  guarded([&] { study.set_scene(requestOf(id).scene()); });  // a damaged one is listed, too
  study.set_ended("the server ended");
  return study;
}

v1::Study StudyTable::start(const v1::StartStudyRequest& request, const Caller& caller,
                            const grpc::ServerContext& context) {
  accounts_.requireWithin(caller.name);
  v1::Study study;
  study.set_id(newId());
  study.set_scene(request.scene());
  study.set_owner(caller.name);
  study.set_running(true);
  Entry& entry = reserve(study);
  try {
    runtime::AtomicFile(fileOf(study.id(), kRequest)).commit(request.SerializeAsString());
    accounts_.own(fileOf(study.id(), kResults), caller.name);
    begin(entry, request, context);
  } catch (...) {
    drop(study.id());
    Accounts::remove(fileOf(study.id(), kResults));
    Accounts::remove(fileOf(study.id(), kRequest));
    throw;
  }
  log_.write("study-started", {{"study", study.id()}, {"client", caller.name}});
  return find(study.id());
}

v1::Study StudyTable::resume(const std::string& id, const grpc::ServerContext& context) {
  v1::Study study = find(id);
  const v1::StartStudyRequest request = requestOf(id);
  accounts_.requireWithin(study.owner());
  if (study.running()) throw StatusError(StatusCode::FAILED_PRECONDITION, "the study runs already");
  if (study.ended() == kStudyDone)
    throw StatusError(StatusCode::FAILED_PRECONDITION, "the study is complete");
  study.clear_ended();
  study.set_running(true);
  Entry& entry = reserve(study);
  try {
    begin(entry, request, context);
  } catch (...) {
    drop(id);
    throw;
  }
  return find(id);
}

/// A place for a study that starts; until it has a thread, its caller alone uses the entry.
StudyTable::Entry& StudyTable::reserve(v1::Study study) {
  const std::string id = study.id();
  std::unique_ptr<Entry> before;
  const std::lock_guard lock(mutex_);
  if (closed_) throw StatusError(StatusCode::UNAVAILABLE, "the server is stopping");
  const auto runs = [](const auto& entry) { return entry.second->study.running(); };
  if (std::count_if(entries_.begin(), entries_.end(), runs) >= options_.maxStudies)
    throw StatusError(
        StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("{} studies run, as many as this server allows; stop one or wait", options_.maxStudies));
  std::unique_ptr<Entry>& place = entries_[id];
  if (place && place->study.running())
    throw StatusError(StatusCode::FAILED_PRECONDITION, "the study runs already");
  if (place && place->thread.joinable()) place->thread.join();  // it has ended
  place = std::make_unique<Entry>();
  place->study = std::move(study);
  return *place;
}

void StudyTable::drop(const std::string& id) {
  std::unique_ptr<Entry> dropped;  // its process ends behind the lock
  const std::lock_guard lock(mutex_);
  dropped = std::move(entries_.at(id));
  entries_.erase(id);
  changed_.notify_all();
}

void StudyTable::begin(Entry& entry, const v1::StartStudyRequest& request,
                       const grpc::ServerContext& context) {
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  worker::StudyJob job;
  *job.mutable_scene() = scenes_.load(request.scene());
  job.set_plan(request.plan());
  job.set_file(fileOf(entry.study.id(), kResults));
  job.set_threads(std::clamp(request.threads(), 1, std::max(1, processors)));
  entry.process = std::make_shared<WorkerProcess>();
  worker::PrepareStudyResponse prepared;
  runJob(*entry.process, context, "the plan", job, prepared, &worker::Worker::StubInterface::PrepareStudy);
  const std::lock_guard lock(mutex_);
  if (closed_) throw StatusError(StatusCode::UNAVAILABLE, "the server is stopping");
  entry.thread = std::thread([this, &entry] { follow(entry); });
}

void StudyTable::follow(Entry& entry) {
  const auto reader = entry.process->stub().Study(&entry.call, {});
  const std::string owner = entry.study.owner();
  v1::Study now;
  bool complete = false;
  double accounted = 0;
  while (reader->Read(&now)) {
    const double used = entry.process->processorTime();
    accounts_.addProcessorTime(owner, used - std::exchange(accounted, used));
    std::optional<std::string> excess;
    guarded([&] { excess = accounts_.excess(owner); });
    complete = now.ended() == kStudyDone;
    now.clear_ended();  // once its process has written all
    {
      const std::lock_guard lock(mutex_);
      now.set_id(entry.study.id());
      now.set_scene(entry.study.scene());
      now.set_owner(owner);
      now.set_running(true);
      entry.study = now;
      ++entry.changes;
      changed_.notify_all();
      if (!excess || complete) continue;
      entry.stopReason = *excess;
    }
    if (!requestStop(*entry.process)) entry.call.TryCancel();
  }
  const grpc::Status status = reader->Finish();
  std::unique_lock lock(mutex_);
  std::shared_ptr<WorkerProcess> process = std::move(entry.process);
  lock.unlock();
  process.reset();  // it has written what it computed
  lock.lock();
  const bool crashed = status.error_code() == StatusCode::UNAVAILABLE;
  entry.study.set_running(false);
  entry.study.set_ended(complete                    ? kStudyDone
                        : !entry.stopReason.empty() ? entry.stopReason
                        : crashed                   ? "its process has crashed or does not answer"
                                                    : status.error_message());
  ++entry.changes;
  changed_.notify_all();
  log_.write("study-ended", {{"study", entry.study.id()}, {"reason", entry.study.ended()}});
}

v1::Study StudyTable::stop(const std::string& id, const std::string& reason) {
  std::unique_lock lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end() || !found->second->study.running() || !found->second->thread.joinable()) {
    lock.unlock();
    find(id);  // or there is none
    throw StatusError(StatusCode::FAILED_PRECONDITION, "the study does not run");
  }
  found->second->stopReason = reason;
  std::shared_ptr<WorkerProcess> process = found->second->process;  // null: it ends
  lock.unlock();
  const bool stops = !process || requestStop(*process);
  lock.lock();
  if (const auto at = entries_.find(id); !stops && at != entries_.end() && at->second->process == process)
    at->second->call.TryCancel();
  lock.unlock();
  process.reset();  // it may end here, and be waited for
  lock.lock();
  changed_.wait_for(lock, kStopLimit, [&] {
    const auto at = entries_.find(id);
    return at == entries_.end() || !at->second->study.running();
  });
  lock.unlock();
  return find(id);
}

v1::Study StudyTable::find(const std::string& id) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found != entries_.end()) return found->second->study;
  }
  return stored(id);
}

v1::Study StudyTable::next(const std::string& id, std::int64_t& seen, Clock::time_point limit) const {
  {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, limit, [&] {
      const auto at = entries_.find(id);
      return at == entries_.end() || at->second->changes != seen;
    });
    const auto at = entries_.find(id);
    if (at != entries_.end()) {
      seen = at->second->changes;
      return at->second->study;
    }
  }
  return stored(id);
}

std::vector<v1::Study> StudyTable::list() const {
  std::set<std::string> ids;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_))
    if (file.path().extension() == kResults) ids.insert(file.path().stem().string());
  std::vector<v1::Study> all;
  for (const std::string& id : ids)
    guarded([&] { all.push_back(find(id)); });  // one that is deleted just now is left out
  return all;
}

void StudyTable::remove(const std::string& id) {
  const std::string file = resultsFile(id);
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found != entries_.end()) {
      if (found->second->study.running())
        throw StatusError(StatusCode::FAILED_PRECONDITION, "the study runs; stop it first");
      if (found->second->thread.joinable()) found->second->thread.join();
      entries_.erase(found);
    }
  }
  Accounts::remove(file);
  Accounts::remove(fileOf(id, kRequest));
}

int StudyTable::running() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::count_if(entries_.begin(), entries_.end(),
                                        [](const auto& entry) { return entry.second->study.running(); }));
}

void StudyTable::stopAll(const std::string& reason) {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& [id, entry] : entries_) {
      if (!entry->thread.joinable()) continue;
      if (entry->study.running() && entry->stopReason.empty()) entry->stopReason = reason;
      entry->call.TryCancel();
      threads.push_back(std::move(entry->thread));
    }
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tenon::service
