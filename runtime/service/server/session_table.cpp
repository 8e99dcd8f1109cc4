// See session_table.h.
#include "runtime/service/server/session_table.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <cstdint>
#include <future>
#include <map>
#include <optional>
#include <utility>

#include "runtime/service/messages/scene_id.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

using grpc::StatusCode;
using std::chrono::steady_clock;

/// Of a worker: to build a world; to complete its record, or it is killed.
constexpr std::chrono::seconds kBeginLimit{120}, kFinishLimit{10};

std::string endedText(const v1::Session& info) {
  std::string text = fmt::format("the session {} has ended: {}", info.id(), info.ended());
  if (!info.record().empty()) text += "; its record can be downloaded";
  return text;
}

}  // namespace

std::string newId() {
  std::uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random)
    throw StatusError(StatusCode::INTERNAL, "the system has no random numbers");
  return fmt::format("{:016x}", random);
}

v1::Session SessionEntry::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

std::shared_ptr<WorkerProcess> SessionEntry::use() {
  const std::lock_guard lock(mutex_);
  if (!process_) throw StatusError(StatusCode::ABORTED, endedText(info_));
  lastUse_ = steady_clock::now();
  return process_;
}

std::shared_ptr<WorkerProcess> SessionEntry::observe() const {
  const std::lock_guard lock(mutex_);
  return info_.running() ? process_ : nullptr;
}

bool SessionEntry::end(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  return endLocked(reason);
}

bool SessionEntry::endLocked(const std::string& reason) {
  if (!info_.running()) return false;
  info_.set_running(false);
  info_.set_ended(reason);
  endTime_ = steady_clock::now();
  return true;
}

std::shared_ptr<WorkerProcess> SessionEntry::take(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  endLocked(reason);
  return std::exchange(process_, nullptr);
}

SessionEntry::Call::Call(SessionEntry& entry) : entry_(entry) {
  const std::lock_guard lock(entry_.mutex_);
  ++entry_.calls_;
}

SessionEntry::Call::~Call() {
  const std::lock_guard lock(entry_.mutex_);
  --entry_.calls_;
  entry_.lastUse_ = steady_clock::now();
}

bool SessionEntry::isIdleSince(steady_clock::time_point time) const {
  const std::lock_guard lock(mutex_);
  return calls_ == 0 && lastUse_ < time;
}

double SessionEntry::newProcessorTime() {
  const std::lock_guard lock(mutex_);
  const double all = process_ ? process_->processorTime() : processorTime_;
  return all - std::exchange(processorTime_, all);
}

steady_clock::time_point SessionEntry::endTime() const {
  const std::lock_guard lock(mutex_);
  return endTime_;
}

SessionTable::SessionTable(std::string records, const ServeOptions& options, SceneStore& scenes,
                           Accounts& accounts, ServiceLog& log)
    : records_(std::move(records)), options_(options), scenes_(scenes), accounts_(accounts), log_(log) {}

std::string SessionTable::recordFile(const std::string& id) const {
  if (!isId(id, kSessionDigits))
    throw StatusError(StatusCode::INVALID_ARGUMENT,
                      "id: is not one of 16 hexadecimal digits; give that of a session");
  return fmt::format("{}/{}.tenon", records_, id);
}

v1::Session SessionTable::create(const v1::CreateSessionRequest& request, const Caller& caller,
                                 const grpc::ServerContext& call) {
  worker::BeginJob job;
  *job.mutable_scene() = scenes_.load(request.scene());
  accounts_.requireWithin(caller.name);
  const Starting place(*this);
  const std::string id = newId();
  const v1::Scene description = job.scene().description();
  *job.mutable_request() = request;
  const auto process = std::make_shared<WorkerProcess>();
  if (request.record()) {
    job.set_record_file(recordFile(id));
    accounts_.own(job.record_file(), caller.name);
  }
  const auto context = grpc::ClientContext::FromServerContext(call);
  context->set_deadline(std::min(std::chrono::system_clock::now() + kBeginLimit, call.deadline()));
  v1::Session info;
  grpc::Status status = process->stub().Begin(context.get(), job, &info);
  if (status.ok() && call.IsCancelled()) status = {StatusCode::CANCELLED, "the client is gone"};
  if (!status.ok() && request.record()) {
    process->kill();
    process->waitForEnd(steady_clock::now() + kFinishLimit);
    Accounts::remove(job.record_file());
  }
  if (status.error_code() == StatusCode::UNAVAILABLE)
    throw StatusError(StatusCode::INTERNAL,
                      "the process of the session has crashed, or does not answer, at its start");
  requireOk(status);
  info.set_id(id);
  info.mutable_scene()->set_id(description.id());
  info.mutable_scene()->set_name(description.name());
  info.mutable_scene()->set_bytes(description.bytes());
  info.set_owner(caller.name);
  if (request.record()) info.set_record(id);
  info.set_running(true);
  const auto entry = std::make_shared<SessionEntry>(info, process);
  {
    const std::lock_guard lock(mutex_);
    requireOpen();
    entries_[id] = entry;
  }
  ++started_;
  log_.write("session-created", {{"session", id},
                                 {"scene", description.id()},
                                 {"client", caller.name},
                                 {"process", std::to_string(process->pid())}});
  process->whenEnded([this, weak = std::weak_ptr(entry), id](const std::string& reason) {
    const auto ended = weak.lock();
    if (!ended || !ended->end(reason)) return;
    ++crashed_;
    log_.write("session-ended", {{"session", id}, {"reason", reason}});
  });
  return info;
}

void SessionTable::requireOpen() const {
  if (closed_) throw StatusError(StatusCode::UNAVAILABLE, "the server is stopping; try again later");
}

SessionTable::Starting::Starting(SessionTable& table) : table_(table) {
  const std::lock_guard lock(table_.mutex_);
  table_.requireOpen();
  int used = table_.starting_;
  for (const auto& [id, entry] : table_.entries_) used += entry->info().running() ? 1 : 0;
  if (used >= table_.options_.maxSessions)
    throw StatusError(StatusCode::RESOURCE_EXHAUSTED,
                      fmt::format("{} sessions run, as many as this server allows; close one", used));
  ++table_.starting_;
}

SessionTable::Starting::~Starting() {
  const std::lock_guard lock(table_.mutex_);
  --table_.starting_;
}

std::shared_ptr<SessionEntry> SessionTable::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end())
    throw StatusError(StatusCode::NOT_FOUND, "session: is not one of this server's; list the sessions");
  return found->second;
}

std::vector<v1::Session> SessionTable::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<v1::Session> all;
  for (const auto& [id, entry] : entries_) all.push_back(entry->info());
  return all;
}

SessionTable::Counts SessionTable::counts() const {
  return {static_cast<int>(running().size()), started_, crashed_};
}

bool SessionTable::close(SessionEntry& entry, const std::string& reason) {
  const v1::Session info = entry.info();
  account(entry);
  const std::shared_ptr<WorkerProcess> process = entry.take(reason);
  if (!process) throw StatusError(StatusCode::ABORTED, endedText(info));
  worker::FinishJob job;
  job.set_reason(reason);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kFinishLimit);
  v1::CloseSessionResponse response;
  const grpc::Status status = process->stub().Finish(&context, job, &response);
  if (!status.ok()) process->kill();  // its record stays as it is
  if (info.running()) log_.write("session-ended", {{"session", info.id()}, {"reason", reason}});
  return status.ok() && response.record_complete();
}

std::vector<std::shared_ptr<SessionEntry>> SessionTable::running() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<SessionEntry>> all;
  for (const auto& [id, entry] : entries_)
    if (entry->info().running()) all.push_back(entry);
  return all;
}

void SessionTable::account(SessionEntry& entry) {
  accounts_.addProcessorTime(entry.info().owner(), entry.newProcessorTime());
}

void SessionTable::closeEach(const Endings& endings) {
  std::vector<std::future<void>> closing;
  for (const auto& [entry, reason] : endings)
    closing.push_back(
        std::async(std::launch::async | std::launch::deferred,
                   [this, &entry = entry, &reason = reason] { guarded([&] { close(*entry, reason); }); }));
  for (const std::future<void>& closed : closing) closed.wait();
}

void SessionTable::closeIdle() {
  const auto limit =
      std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(options_.idleTimeout));
  Endings idle;
  for (const auto& entry : running())
    if (entry->isIdleSince(steady_clock::now() - limit))
      idle.emplace_back(entry, fmt::format("it was idle for {:g} s", options_.idleTimeout));
  closeEach(idle);
}

void SessionTable::closeExcessive() {
  std::map<std::string, std::optional<std::string>> excess;  // by client
  Endings excessive;
  for (const auto& entry : running()) {
    const std::string owner = entry->info().owner();
    const auto known = excess.find(owner);
    const std::optional<std::string>& reason =
        known != excess.end() ? known->second : excess.emplace(owner, accounts_.excess(owner)).first->second;
    if (reason) excessive.emplace_back(entry, *reason);
  }
  closeEach(excessive);
}

void SessionTable::dropEnded() {
  std::vector<std::shared_ptr<SessionEntry>> ended;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, entry] : entries_)
      if (entry->endTime() != steady_clock::time_point::max()) ended.push_back(entry);
    std::sort(ended.begin(), ended.end(),
              [](const auto& a, const auto& b) { return a->endTime() < b->endTime(); });
    const std::size_t dropped = ended.size() - std::min(ended.size(), kMaxEnded);
    for (std::size_t k = 0; k < dropped; ++k) entries_.erase(ended[k]->info().id());
  }
  for (const auto& entry : ended) entry->take("");  // its process has ended
}

void SessionTable::supervise() {
  for (const auto& entry : running()) account(*entry);
  closeIdle();
  closeExcessive();
  dropEnded();
}

void SessionTable::closeAll(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  Endings all;
  for (const auto& entry : running()) all.emplace_back(entry, reason);
  closeEach(all);
  dropEnded();
}

grpc::Status SessionTable::outcome(SessionEntry& entry, WorkerProcess& process, const grpc::Status& status) {
  if (status.ok()) return status;
  if (status.error_code() == StatusCode::UNAVAILABLE) process.endBroken();
  const v1::Session info = entry.info();
  if (!info.running()) return {StatusCode::ABORTED, endedText(info)};
  return {status.error_code(), status.error_message()};
}

}  // namespace tenon::service
