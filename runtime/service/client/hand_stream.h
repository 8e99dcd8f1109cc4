// Hands leased from a server: samples and commands out, until the stream ends.
#pragma once

#include <grpcpp/client_context.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/service/client/remote_server.h"

namespace tenon::service {

class HandStream {
 public:
  /// Leases the hands of a session. `onEnd` is called on another thread if the server ends the stream, such
  /// as for a hand that another client has.
  HandStream(std::shared_ptr<RemoteServer> server, const std::string& session, const std::vector<int>& hands,
             std::function<void()> onEnd);
  /// Ends the stream: the hands are untracked, and free.
  ~HandStream();
  HandStream(const HandStream&) = delete;
  HandStream& operator=(const HandStream&) = delete;

  /// Waits until the server's first state: the hands are leased. Throws StatusError with the server's reason.
  void waitUntilLeased();
  /// Throws StatusError with the server's reason if the stream has ended. One thread writes at a time.
  void write(const v1::HandSample& sample);
  void write(const v1::Command& command);
  /// Ends the stream. Throws StatusError if the server has ended it with an error. A second call has no
  /// effect.
  void close();
  bool isEnded() const { return ended_; }

 private:
  void write(const v1::HandsRequest& request);
  void read(const std::function<void()>& onEnd);
  [[noreturn]] void fail();

  std::shared_ptr<RemoteServer> server_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriterInterface<v1::HandsRequest, v1::State>> stream_;
  std::atomic<bool> ended_{false};
  bool closed_ = false;
  std::promise<bool> leased_;
  std::future<bool> isLeased_ = leased_.get_future();
  std::thread reader_;
};

}  // namespace tenon::service
