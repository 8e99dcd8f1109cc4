// See frame_waiter.h.
#include "xr/openxr/frame_waiter.h"

#include <fmt/format.h>

#include "xr/openxr/headset_lost.h"

namespace tenon::xr {

FrameWaiter::FrameWaiter(const OpenXrSession& session)
    : session_(session),
      thread_([state = state_, waitFrame = session.calls().WaitFrame, handle = session.handle()] {
        work(*state, waitFrame, handle);
      }) {}

FrameWaiter::~FrameWaiter() {
  join();
}

void FrameWaiter::start() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->pending = true;
  }
  state_->changed.notify_all();
}

bool FrameWaiter::isPending() const {
  const std::lock_guard lock(state_->mutex);
  return state_->pending;
}

XrFrameState FrameWaiter::take(std::optional<std::chrono::milliseconds> timeout) {
  start();
  std::unique_lock lock(state_->mutex);
  const auto isReady = [&] { return state_->ready; };
  if (!timeout)
    state_->changed.wait(lock, isReady);
  else if (!state_->changed.wait_for(lock, *timeout, isReady))
    throw HeadsetLost(fmt::format("the OpenXR runtime hangs: xrWaitFrame has not returned for {:g} s",
                                  1e-3 * static_cast<double>(timeout->count())));
  state_->pending = state_->ready = false;
  session_.calls().check(state_->result, "xrWaitFrame");
  return state_->frame;
}

bool FrameWaiter::join() {
  std::unique_lock lock(state_->mutex);
  if (!thread_.joinable()) return state_->ended;
  state_->stop = true;
  state_->changed.notify_all();
  const bool ended = state_->changed.wait_for(lock, kEndTimeout, [&] { return state_->ended; });
  lock.unlock();
  ended ? thread_.join() : thread_.detach();
  return ended;
}

void FrameWaiter::work(State& state, PFN_xrWaitFrame waitFrame, XrSession session) {
  std::unique_lock lock(state.mutex);
  while (true) {
    state.changed.wait(lock, [&] { return state.stop || (state.pending && !state.ready); });
    if (state.stop) break;
    lock.unlock();
    XrFrameWaitInfo info{};
    info.type = XR_TYPE_FRAME_WAIT_INFO;
    XrFrameState frame{};
    frame.type = XR_TYPE_FRAME_STATE;
    const XrResult result = waitFrame(session, &info, &frame);
    lock.lock();
    state.frame = frame;
    state.result = result;
    state.ready = true;
    state.changed.notify_all();
  }
  state.ended = true;
  state.changed.notify_all();
}

}  // namespace tenon::xr
