// See state_stream_reader.h.
#include "runtime/service/client/state_stream_reader.h"

#include <chrono>
#include <utility>

#include "runtime/service/messages/status.h"

namespace tenon::service {

StateStreamReader::StateStreamReader(std::shared_ptr<RemoteServer> server, const v1::WatchRequest& request)
    : server_(std::move(server)) {
  server_->prepare(context_);
  reader_ = server_->sessionsStub().AsyncWatch(&context_, request, &queue_, nullptr);
  isOver_ = !wait([] { return false; });
}

StateStreamReader::~StateStreamReader() {
  close();
  queue_.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) {
  }
}

bool StateStreamReader::wait(const std::function<bool()>& interrupted) {
  constexpr std::chrono::milliseconds kInterruptCheck{50};
  void* tag = nullptr;
  bool ok = false;
  while (queue_.AsyncNext(&tag, &ok, std::chrono::system_clock::now() + kInterruptCheck) ==
         grpc::CompletionQueue::TIMEOUT)
    if (interrupted()) close();
  return ok;
}

bool StateStreamReader::next(v1::State& state, const std::function<bool()>& interrupted) {
  if (!isOver_) {
    reader_->Read(&state, nullptr);
    if (wait(interrupted)) return true;
    isOver_ = true;
  }
  if (closed_) return false;
  closed_ = true;
  grpc::Status status;
  reader_->Finish(&status, nullptr);
  wait(interrupted);
  requireOk(status);
  return false;
}

void StateStreamReader::close() {
  if (!closed_.exchange(true)) context_.TryCancel();
}

}  // namespace tenon::service
