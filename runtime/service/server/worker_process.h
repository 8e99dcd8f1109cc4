// A worker: this program again, in a process that computes one session or one job.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "worker/worker.grpc.pb.h"

namespace tenon::service {

class WorkerProcess {
 public:
  /// Throws StatusError if the system cannot start another process.
  WorkerProcess();
  /// Ends the process: it completes its record within 10 s, or is killed.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  worker::Worker::StubInterface& stub() { return *stub_; }
  pid_t pid() const { return pid_; }
  /// Processor time that it has used so far [s]; after its end, all of it.
  double processorTime() const;
  /// Calls `onEnd` once with the reason when the process has ended without a request, on another thread; at
  /// once if it has ended already.
  void whenEnded(std::function<void(const std::string&)> onEnd);
  /// Waits until the process has ended, at most until `limit`. True if it has.
  bool waitForEnd(std::chrono::steady_clock::time_point limit);
  void kill();
  /// To be called when a call has failed because the connection is broken: waits until the process has ended,
  /// and kills one that does not answer. Takes seconds then.
  void endBroken();

 private:
  void wait();

  pid_t pid_ = -1;
  int lifeline_ = -1;  ///< closed: the process ends
  std::unique_ptr<worker::Worker::StubInterface> stub_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  double processorTime_ = 0;     ///< when it was reaped [s]
  bool isUnresponsive_ = false;  ///< it is killed because it does not answer
  bool reaped_ = false;          ///< pid_ is no longer its number
  bool ended_ = false;           ///< and what whenEnded() was given has been called
  std::string reason_;
  std::function<void(const std::string&)> onEnd_;
  std::thread thread_;  ///< waits for the process
};

}  // namespace tenon::service
