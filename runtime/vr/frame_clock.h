// The time between frames.
#pragma once

#include <algorithm>

#include "runtime/simulation/clock.h"

namespace tenon::runtime {

class FrameClock {
 public:
  static constexpr double kMaxInterpolation = 0.1;  ///< limit of interpolationTime() [s]

  /// Call at the start of each frame.
  void tick() {
    const double now = 1e-9 * static_cast<double>(clock_.now_ns());
    frameTime_ = last_ < 0 ? 0 : now - last_;
    last_ = now;
    meanFrameTime_ += 0.1 * (frameTime_ - meanFrameTime_);
  }
  double frameTime() const { return frameTime_; }          ///< since the previous frame [s]
  double meanFrameTime() const { return meanFrameTime_; }  ///< exponential moving average [s]
  /// The time over which hands move to a new sample [s].
  double interpolationTime() const { return std::clamp(frameTime_, 0.0, kMaxInterpolation); }

 private:
  SteadyClock clock_;
  double last_ = -1, frameTime_ = 0, meanFrameTime_ = 0;
};

}  // namespace tenon::runtime
