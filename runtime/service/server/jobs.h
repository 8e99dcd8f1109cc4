// Work without a session, each in a process of its own: checks of scenes, verification of records.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "runtime/service/server/accounts.h"
#include "runtime/service/server/worker_process.h"

namespace tenon::service {

/// Counts the jobs that run.
class Jobs {
 public:
  /// `most`: jobs at the same time. Borrows the accounts.
  Jobs(Accounts& accounts, int most) : accounts_(accounts), most_(most) {}

  int running() const;
  /// Those that wait for a place fail.
  void stop();

 private:
  friend class Job;
  Accounts& accounts_;
  const int most_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  int running_ = 0;
  bool stopped_ = false;
};

/// One job, for its client.
class Job {
 public:
  static constexpr std::chrono::seconds kPatience{30};  ///< for a place

  /// Waits for a place. Throws StatusError with RESOURCE_EXHAUSTED if none becomes free, if the client has
  /// used up what it may, or if the system cannot start another process.
  Job(Jobs& jobs, std::string client);
  /// Ends the process.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  worker::Worker::StubInterface& stub() { return process_.stub(); }
  void kill() { process_.kill(); }

 private:
  class Place {
   public:
    explicit Place(Jobs& jobs);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Jobs& jobs_;
  };

  Jobs& jobs_;
  std::string client_;
  Place place_;
  WorkerProcess process_;
};

}  // namespace tenon::service
