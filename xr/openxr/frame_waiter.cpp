// See frame_waiter.h.
#include "xr/openxr/frame_waiter.h"

namespace tenon::xr {

FrameWaiter::FrameWaiter(const OpenXrSession& session) : session_(session), thread_([this] { work(); }) {}

FrameWaiter::~FrameWaiter() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FrameWaiter::start() {
  {
    const std::lock_guard lock(mutex_);
    pending_ = true;
  }
  changed_.notify_all();
}

bool FrameWaiter::isPending() const {
  const std::lock_guard lock(mutex_);
  return pending_;
}

XrFrameState FrameWaiter::take() {
  start();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ready_; });
  pending_ = ready_ = false;
  session_.calls().check(result_, "xrWaitFrame");
  return state_;
}

void FrameWaiter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stop_ || (pending_ && !ready_); });
    if (stop_) return;
    lock.unlock();
    XrFrameWaitInfo info{};
    info.type = XR_TYPE_FRAME_WAIT_INFO;
    XrFrameState state{};
    state.type = XR_TYPE_FRAME_STATE;
    const XrResult result = session_.calls().WaitFrame(session_.handle(), &info, &state);
    lock.lock();
    state_ = state;
    result_ = result;
    ready_ = true;
    changed_.notify_all();
  }
}

}  // namespace tenon::xr
