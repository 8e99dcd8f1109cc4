// A thread passes states from the worker to the client, gRPC's own thread passes requests on to the worker.
#include "runtime/service/server/hands_relay.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "content/input/input_error.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

class HandsRelay final : public grpc::ServerBidiReactor<v1::HandsRequest, v1::State> {
 public:
  HandsRelay(grpc::CallbackServerContext& context, const ServiceParts& parts)
      : context_(context), parts_(parts) {
    // `context` is valid while the call lasts.
    const grpc::Status allowed = guarded([&] { parts_.access.require(context_, Role::work); });
    if (allowed.ok())
      StartRead(&request_);
    else
      Finish(allowed);
  }
  void setSelf(std::shared_ptr<HandsRelay> self) { self_ = std::move(self); }

  void OnReadDone(bool ok) override {
    if (!stream_) {
      begin(ok);
      return;
    }
    if (ok && stream_->Write(request_))
      StartRead(&request_);
    else
      stream_->WritesDone();
  }
  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    written_ = ok;
    writing_ = false;
    changed_.notify_all();
  }
  void OnCancel() override {
    const std::lock_guard lock(mutex_);
    canceled_ = true;
    if (onward_) onward_->TryCancel();
  }
  void OnDone() override { self_.reset(); }

 private:
  void begin(bool ok) {
    const grpc::Status begun = guarded([&] {
      if (!ok || !request_.has_begin())
        throw content::InputError("HandsRequest", "begin", "is missing", "begin the stream with it");
      entry_ = parts_.sessions.find(request_.begin().session());
      process_ = entry_->use();
      call_.emplace(*entry_);
    });
    if (!begun.ok()) {
      Finish(begun);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      onward_ = grpc::ClientContext::FromCallbackServerContext(context_);
      if (canceled_) onward_->TryCancel();
    }
    stream_ = process_->stub().Hands(onward_.get());
    stream_->Write(request_);
    // The thread's copy of `self_` outlives the call, which ends with its Finish().
    std::thread([self = self_] { self->passStates(); }).detach();
    StartRead(&request_);
  }

  void passStates() {
    v1::State state;
    while (stream_->Read(&state)) {
      std::unique_lock lock(mutex_);
      writing_ = true;
      lock.unlock();
      StartWrite(&state);
      lock.lock();
      changed_.wait(lock, [this] { return !writing_; });
      if (written_) continue;
      onward_->TryCancel();  // the client is gone
      break;
    }
    const grpc::Status status = parts_.sessions.outcome(*entry_, *process_, stream_->Finish());
    call_.reset();
    Finish(status);
  }

  grpc::CallbackServerContext& context_;
  ServiceParts parts_;
  std::shared_ptr<HandsRelay> self_;
  std::shared_ptr<SessionEntry> entry_;
  std::shared_ptr<WorkerProcess> process_;
  std::optional<SessionEntry::Call> call_;
  v1::HandsRequest request_;
  std::unique_ptr<grpc::ClientContext> onward_;
  std::unique_ptr<grpc::ClientReaderWriterInterface<v1::HandsRequest, v1::State>> stream_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool writing_ = false, written_ = true, canceled_ = false;
};

}  // namespace

grpc::ServerBidiReactor<v1::HandsRequest, v1::State>* relayHands(grpc::CallbackServerContext& context,
                                                                 const ServiceParts& parts) {
  // No callback runs before this returns.
  const auto relay = std::make_shared<HandsRelay>(context, parts);
  relay->setSelf(relay);
  return relay.get();
}

}  // namespace tenon::service
