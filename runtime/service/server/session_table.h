// The sessions of a server, each with its worker process.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/service/server/access.h"
#include "runtime/service/server/accounts.h"
#include "runtime/service/server/scene_store.h"
#include "runtime/service/server/service_log.h"
#include "runtime/service/server/worker_process.h"

namespace tenon::service {

/// Digits of the ids of sessions and studies.
inline constexpr std::size_t kSessionDigits = 16;
/// A new id: random.
std::string newId();

/// A session that runs or has ended.
class SessionEntry {
 public:
  SessionEntry(v1::Session info, std::shared_ptr<WorkerProcess> process)
      : info_(std::move(info)), process_(std::move(process)) {}

  v1::Session info() const;
  /// Its worker. Throws StatusError with ABORTED and the reason if the session has ended. Counts as use.
  std::shared_ptr<WorkerProcess> use();
  /// Its worker; null if the session has ended. Does not count as use.
  std::shared_ptr<WorkerProcess> observe() const;
  /// Marks it as ended, unless it has ended already. True if it had not.
  bool end(const std::string& reason);
  /// Ends it, and returns its worker; null if it has ended.
  std::shared_ptr<WorkerProcess> take(const std::string& reason);

  /// A call in progress keeps a session from being idle.
  class Call {
   public:
    explicit Call(SessionEntry& entry);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    SessionEntry& entry_;
  };
  bool isIdleSince(std::chrono::steady_clock::time_point time) const;
  /// Processor time of its process since the last call [s].
  double newProcessorTime();
  /// When it has ended; the largest time: it runs.
  std::chrono::steady_clock::time_point endTime() const;

 private:
  /// end() while the mutex is held.
  bool endLocked(const std::string& reason);

  mutable std::mutex mutex_;
  v1::Session info_;
  std::shared_ptr<WorkerProcess> process_;  ///< null: ended
  std::chrono::steady_clock::time_point lastUse_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point endTime_ = std::chrono::steady_clock::time_point::max();
  double processorTime_ = 0;  ///< that newProcessorTime() has returned [s]
  int calls_ = 0;
};

/// All members may be called from any thread, and throw StatusError.
class SessionTable {
 public:
  static constexpr std::size_t kMaxEnded = 1000;  ///< that are still listed

  /// `records`: existing folder. Borrows all.
  SessionTable(std::string records, const ServeOptions& options, SceneStore& scenes, Accounts& accounts,
               ServiceLog& log);

  /// `call`: of the client; without it the session does not begin.
  v1::Session create(const v1::CreateSessionRequest& request, const Caller& caller,
                     const grpc::ServerContext& call);
  std::shared_ptr<SessionEntry> find(const std::string& id) const;
  std::vector<v1::Session> list() const;
  /// Of sessions, since the server started.
  struct Counts {
    int running = 0;
    std::int64_t started = 0, crashed = 0;
  };
  Counts counts() const;
  /// True if its record is complete.
  bool close(SessionEntry& entry, const std::string& reason);
  /// To be called about once a second: closes sessions that are idle and those of clients that used up what
  /// they may, and drops what is left of the sessions that ended first.
  void supervise();
  /// No more sessions, and those that run end.
  void closeAll(const std::string& reason);

  /// Maps the outcome of a call of a worker: if its process has ended, to that of its session.
  grpc::Status outcome(SessionEntry& entry, WorkerProcess& process, const grpc::Status& status);
  /// Path of a record. Throws StatusError for a text that is no id.
  std::string recordFile(const std::string& id) const;
  const std::string& records() const { return records_; }

 private:
  /// A place for a session that starts.
  class Starting {
   public:
    explicit Starting(SessionTable& table);
    ~Starting();
    Starting(const Starting&) = delete;
    Starting& operator=(const Starting&) = delete;

   private:
    SessionTable& table_;
  };

  void requireOpen() const;
  std::vector<std::shared_ptr<SessionEntry>> running() const;
  void account(SessionEntry& entry);
  /// Sessions to close, and why.
  using Endings = std::vector<std::pair<std::shared_ptr<SessionEntry>, std::string>>;
  /// Side by side: a process that does not answer delays no other.
  void closeEach(const Endings& endings);
  void closeIdle();
  void closeExcessive();
  void dropEnded();

  std::string records_;
  const ServeOptions& options_;
  SceneStore& scenes_;
  Accounts& accounts_;
  ServiceLog& log_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<SessionEntry>> entries_;
  int starting_ = 0;
  std::atomic<std::int64_t> started_{0}, crashed_{0};
  bool closed_ = false;
};

}  // namespace tenon::service
