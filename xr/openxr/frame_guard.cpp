// See frame_guard.h.
#include "xr/openxr/frame_guard.h"

#include "xr/openxr/stopwatch.h"

namespace tenon::xr {

FrameGuard::FrameGuard(const OpenXrSession& session, FrameWaiter& waiter, Next next) : session_(session) {
  const XrCalls& xr = session.calls();
  const Stopwatch waiting;
  state_ = next == Next::none ? waiter.take(FrameWaiter::kEndTimeout) : waiter.take();
  times_.wait = waiting.ms();
  const Stopwatch beginning;
  XrFrameBeginInfo begin{};
  begin.type = XR_TYPE_FRAME_BEGIN_INFO;
  xr.check(xr.BeginFrame(session.handle(), &begin), "xrBeginFrame");
  open_ = true;
  times_.begin = beginning.ms();
  if (next == Next::awaited) waiter.start();
}

XrResult FrameGuard::close(Layers layers) {
  open_ = false;
  XrFrameEndInfo info{};
  info.type = XR_TYPE_FRAME_END_INFO;
  info.displayTime = state_.predictedDisplayTime;
  info.environmentBlendMode = session_.blendMode();
  info.layerCount = static_cast<std::uint32_t>(layers.size());
  info.layers = layers.data();
  return session_.calls().EndFrame(session_.handle(), &info);
}

void FrameGuard::end(Layers layers) {
  const Stopwatch ending;
  session_.calls().check(close(layers), "xrEndFrame");
  times_.end = ending.ms();
}

FrameGuard::~FrameGuard() {
  if (open_) close({});  // the exception in flight says more than this result
}

}  // namespace tenon::xr
