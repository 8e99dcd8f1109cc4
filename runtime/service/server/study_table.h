// The studies of a server, each with a worker process while it runs. Files of study ID in their folder:
// ID.study, the results; ID.request, what it was started with.
#pragma once

#include <grpcpp/client_context.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/service/server/access.h"
#include "runtime/service/server/accounts.h"
#include "runtime/service/server/scene_store.h"
#include "runtime/service/server/service_log.h"
#include "runtime/service/server/worker_process.h"
#include "tenon/v1/studies.pb.h"

namespace tenon::service {

/// All members may be called from any thread, and throw StatusError.
class StudyTable {
 public:
  /// `folder` exists. Borrows the others.
  StudyTable(std::string folder, const ServeOptions& options, SceneStore& scenes, Accounts& accounts,
             ServiceLog& log);
  ~StudyTable();
  StudyTable(const StudyTable&) = delete;
  StudyTable& operator=(const StudyTable&) = delete;

  /// `context`: of the call, whose cancellation ends the checks of plan and scene.
  v1::Study start(const v1::StartStudyRequest& request, const Caller& caller,
                  const grpc::ServerContext& context);
  v1::Study resume(const std::string& id, const grpc::ServerContext& context);
  /// Ends it between two cases.
  v1::Study stop(const std::string& id, const std::string& reason);
  v1::Study find(const std::string& id) const;
  /// The study once its number of changes is not `seen`, which is then updated, or at `limit`.
  v1::Study next(const std::string& id, std::int64_t& seen,
                 std::chrono::steady_clock::time_point limit) const;
  std::vector<v1::Study> list() const;
  void remove(const std::string& id);
  int running() const;
  /// No more studies, and those that run end.
  void stopAll(const std::string& reason);

  /// Path of the results. Throws StatusError for a text that is no id, and for one of no study.
  std::string resultsFile(const std::string& id) const;

 private:
  struct Entry {
    v1::Study study;
    std::int64_t changes = 0;
    std::string stopReason;
    std::shared_ptr<WorkerProcess> process;
    grpc::ClientContext call;  ///< of the worker, while the study runs
    std::thread thread;        ///< follows that call
  };
  using Clock = std::chrono::steady_clock;

  std::string fileOf(const std::string& id, const char* ending) const;
  v1::StartStudyRequest requestOf(const std::string& id) const;
  /// The study of an earlier server.
  v1::Study stored(const std::string& id) const;
  Entry& reserve(v1::Study study);
  void drop(const std::string& id);
  void begin(Entry& entry, const v1::StartStudyRequest& request, const grpc::ServerContext& context);
  void follow(Entry& entry);

  std::string folder_;
  const ServeOptions& options_;
  SceneStore& scenes_;
  Accounts& accounts_;
  ServiceLog& log_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;  ///< that have run since the server started
  bool closed_ = false;
};

}  // namespace tenon::service
