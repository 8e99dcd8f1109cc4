// Counts the calls of a server, so that it can stop as soon as the last one is answered: gRPC itself waits
// until each idle client has noticed, which takes seconds.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace tenon::service {

class CallsInProgress {
 public:
  /// Waits until none is in progress, at most for `limit`.
  void waitForNone(std::chrono::steady_clock::duration limit) {
    std::unique_lock lock(mutex_);
    none_.wait_for(lock, limit, [this] { return count_ == 0; });
  }

  /// For the server's builder. Calls share the count, which may outlive its owner.
  static std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> counter(
      std::shared_ptr<CallsInProgress> calls) {
    return std::make_unique<Factory>(std::move(calls));
  }

 private:
  /// Lives as long as its call.
  class Call final : public grpc::experimental::Interceptor {
   public:
    explicit Call(std::shared_ptr<CallsInProgress> calls) : calls_(std::move(calls)) { calls_->add(1); }
    ~Call() override { calls_->add(-1); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override { methods->Proceed(); }

   private:
    std::shared_ptr<CallsInProgress> calls_;
  };

  class Factory final : public grpc::experimental::ServerInterceptorFactoryInterface {
   public:
    explicit Factory(std::shared_ptr<CallsInProgress> calls) : calls_(std::move(calls)) {}
    grpc::experimental::Interceptor* CreateServerInterceptor(
        grpc::experimental::ServerRpcInfo* /*info*/) override {
      return std::make_unique<Call>(calls_).release();  // gRPC deletes it
    }

   private:
    std::shared_ptr<CallsInProgress> calls_;
  };

  void add(int calls) {
    const std::lock_guard lock(mutex_);
    count_ += calls;
    if (count_ == 0) none_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable none_;
  int count_ = 0;
};

}  // namespace tenon::service
