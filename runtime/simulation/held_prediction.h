// Prediction of held parts to the time at which a frame is displayed.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// Hands are sampled for the display time, and physics reaches a sample within one interval of frames: the
/// newest state trails the hands by that interval, 7 mm at 0.5 m/s and 72 Hz. Held parts, and bodies that
/// move along with them, are drawn where their velocities take them by then. Physics is not affected.
class HeldPrediction {
 public:
  static constexpr double kMaxTime = 0.1;  ///< longest prediction [s]
  static constexpr double kEase = 0.1;     ///< duration of the transition after a grasp or release [s]
  /// Predicted parts enter others at most to this depth where physics has found their contact [m]. A fast
  /// part may be drawn some millimeters deep in the one frame before that.
  static constexpr double kOvershoot = 5e-5;

  /// Moves parts and hands of `drawn`, the state at `now_ns`, to the time at which the hands have reached
  /// samples of `now_ns`, `moveDuration_ns` later by the session's clock. `frameTime`: since the previous
  /// call [s].
  void apply(const FrameBuffer& frameBuffer, std::int64_t now_ns, std::int64_t moveDuration_ns,
             double frameTime, InterpolatedState& drawn);

 private:
  std::vector<double> shares_;  ///< by part: of the prediction that is applied, 0…1
};

}  // namespace tenon::runtime
