// See frame_guard.h.
#include "xr/openxr/frame_guard.h"

#include "xr/openxr/stopwatch.h"

namespace tenon::xr {

FrameGuard::FrameGuard(const OpenXrSession& session, FrameWaiter& waiter, Next next) : session_(session) {
  const XrCalls& xr = session.calls();
  const Stopwatch waiting;
  state_ = waiter.take();
  times_.wait = waiting.ms();
  const Stopwatch beginning;
  XrFrameBeginInfo begin{};
  begin.type = XR_TYPE_FRAME_BEGIN_INFO;
  xr.check(xr.BeginFrame(session.handle(), &begin), "xrBeginFrame");
  open_ = true;
  times_.begin = beginning.ms();
  if (next == Next::awaited) waiter.start();
}

XrResult FrameGuard::close(const XrCompositionLayerProjection* layer) {
  open_ = false;
  const XrCompositionLayerBaseHeader* const layers[] = {
      reinterpret_cast<const XrCompositionLayerBaseHeader*>(layer)};
  XrFrameEndInfo info{};
  info.type = XR_TYPE_FRAME_END_INFO;
  info.displayTime = state_.predictedDisplayTime;
  info.environmentBlendMode = session_.blendMode();
  info.layerCount = layer == nullptr ? 0 : 1;
  info.layers = layers;
  return session_.calls().EndFrame(session_.handle(), &info);
}

void FrameGuard::end(const XrCompositionLayerProjection* layer) {
  const Stopwatch ending;
  session_.calls().check(close(layer), "xrEndFrame");
  times_.end = ending.ms();
}

FrameGuard::~FrameGuard() {
  if (open_) close(nullptr);  // the exception in flight says more than this result
}

}  // namespace tenon::xr
