// Passes requests of a client on to the worker, and the worker's states back. All of it runs in gRPC's
// callbacks, which do not wait; for the end of a process that has died or does not answer a thread does.
#include "runtime/service/server/hands_relay.h"

#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "content/input/input_error.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

class HandsRelay final : public grpc::ServerBidiReactor<v1::HandsRequest, v1::State> {
 public:
  HandsRelay(grpc::CallbackServerContext& context, const ServiceParts& parts)
      : context_(context), parts_(parts), onward_(*this) {
    // `context` is valid while the call lasts.
    const grpc::Status allowed = guarded([&] { parts_.access.require(context_, Role::work); });
    if (allowed.ok())
      StartRead(&request_);
    else
      Finish(allowed);
  }
  ~HandsRelay() override = default;
  HandsRelay(const HandsRelay&) = delete;
  HandsRelay& operator=(const HandsRelay&) = delete;
  void setSelf(std::shared_ptr<HandsRelay> self) { self_ = std::move(self); }

  // --- of the client
  void OnReadDone(bool ok) override {
    if (!entry_) return begin(ok);
    {
      const std::lock_guard lock(mutex_);
      if (ended_) return;
      ++writing_;
    }
    if (ok)
      onward_.StartWrite(&request_);
    else
      onward_.StartWritesDone();
  }
  void OnWriteDone(bool ok) override {
    if (ok) return onward_.StartRead(&state_);
    workerContext_->TryCancel();  // the client is gone
    endReading();
  }
  void OnCancel() override {
    const std::lock_guard lock(mutex_);
    canceled_ = true;
    if (workerContext_) workerContext_->TryCancel();
  }
  void OnDone() override { self_.reset(); }

 private:
  /// The call of the worker. It is held while a callback of the client may begin an operation of it.
  class Onward final : public grpc::ClientBidiReactor<v1::HandsRequest, v1::State> {
   public:
    explicit Onward(HandsRelay& relay) : relay_(relay) {}

    void OnReadDone(bool ok) override {
      if (ok)
        relay_.StartWrite(&relay_.state_);
      else
        relay_.endReading();
    }
    void OnWriteDone(bool ok) override {
      if (ok) relay_.StartRead(&relay_.request_);
      relay_.endWriting();
    }
    void OnWritesDoneDone(bool /*ok*/) override { relay_.endWriting(); }
    void OnDone(const grpc::Status& status) override { relay_.end(status); }

   private:
    HandsRelay& relay_;
  };

  void begin(bool ok) {
    const grpc::Status begun = guarded([&] {
      if (!ok || !request_.has_begin())
        throw content::InputError("HandsRequest", "begin", "is missing", "begin the stream with it");
      entry_ = parts_.sessions.find(request_.begin().session());
      process_ = entry_->use();
      call_.emplace(*entry_);
    });
    if (!begun.ok()) return Finish(begun);
    {
      const std::lock_guard lock(mutex_);
      workerContext_ = grpc::ClientContext::FromCallbackServerContext(context_);
      if (canceled_) workerContext_->TryCancel();
      ++writing_;
    }
    process_->stub().async()->Hands(workerContext_.get(), &onward_);
    onward_.AddHold();
    onward_.StartWrite(&request_);
    onward_.StartRead(&state_);
    onward_.StartCall();
  }
  /// No state is read any more.
  void endReading() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    release();
  }
  void endWriting() {
    {
      const std::lock_guard lock(mutex_);
      --writing_;
    }
    release();
  }
  void release() {
    {
      const std::lock_guard lock(mutex_);
      if (!ended_ || writing_ > 0 || std::exchange(released_, true)) return;
    }
    onward_.RemoveHold();
  }
  void end(const grpc::Status& status) {
    bool byClient = false;
    {
      const std::lock_guard lock(mutex_);
      byClient = canceled_;
    }
    // A worker whose session is closed cancels the call, as it ends that of an observer.
    const bool isClosed = status.error_code() == grpc::StatusCode::CANCELLED && !byClient;
    if (status.ok() || isClosed) return finish(grpc::Status::OK);
    // Only for the end of a process outcome() waits. The server waits for this call, and so for the thread.
    if (status.error_code() != grpc::StatusCode::UNAVAILABLE) return finish(outcomeOf(status));
    try {
      std::thread([self = self_, status] { self->finish(self->outcomeOf(status)); }).detach();
    } catch (const std::system_error&) {
      finish(status);
    }
  }
  grpc::Status outcomeOf(const grpc::Status& status) {
    return parts_.sessions.outcome(*entry_, *process_, status);
  }
  /// The last use of the server's parts: these may be gone when the call has ended.
  void finish(const grpc::Status& outcome) {
    call_.reset();
    process_.reset();
    Finish(outcome);
  }

  grpc::CallbackServerContext& context_;
  ServiceParts parts_;
  std::shared_ptr<HandsRelay> self_;  ///< until OnDone()
  std::shared_ptr<SessionEntry> entry_;
  std::shared_ptr<WorkerProcess> process_;
  std::optional<SessionEntry::Call> call_;
  v1::HandsRequest request_;
  v1::State state_;
  std::unique_ptr<grpc::ClientContext> workerContext_;
  Onward onward_;

  std::mutex mutex_;
  int writing_ = 0;  ///< operations on the call of the worker that the client's requests began
  bool ended_ = false, released_ = false, canceled_ = false;
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
