// States of a session at a chosen rate, read one after another by a caller that may be interrupted.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "runtime/service/client/remote_server.h"

namespace tenon::service {

class StateStreamReader {
 public:
  StateStreamReader(std::shared_ptr<RemoteServer> server, const v1::WatchRequest& request);
  /// Ends the stream.
  ~StateStreamReader();
  StateStreamReader(const StateStreamReader&) = delete;
  StateStreamReader& operator=(const StateStreamReader&) = delete;

  /// Waits for the next state. False: the session has ended, close() was called, or `interrupted`, which is
  /// called some times a second, has returned true; then the stream is over. Throws StatusError with the
  /// server's reason. One thread calls it at a time.
  bool next(v1::State& state, const std::function<bool()>& interrupted);
  /// Ends the stream; a waiting next() returns. May be called from any thread.
  void close();

 private:
  /// Waits for the pending operation; true if it succeeded.
  bool wait(const std::function<bool()>& interrupted);

  std::shared_ptr<RemoteServer> server_;
  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::ClientAsyncReaderInterface<v1::State>> reader_;
  std::atomic<bool> closed_{false};
  bool isOver_ = false;
};

}  // namespace tenon::service
