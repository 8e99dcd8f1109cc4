// The frames of a session with a headset in numbers, one line of JSON each: for tests that move its hands,
// and to find out what is slow on a machine.
#pragma once

#include <fstream>
#include <string>

#include "runtime/preview/stage.h"
#include "runtime/simulation/moment.h"
#include "xr/hands/xr_hands.h"
#include "xr/openxr/headset_moment.h"

namespace tenon::runtime {

/// How long a frame took, and what hands have felt so far.
struct VrFrameTimes {
  double frame_ms = 0;  ///< from the frame before to this one
  double own_ms = 0;    ///< of that, between the runtime's call for a picture and the picture's description
  std::int64_t shakes = 0;
};

class VrTrace {
 public:
  /// Throws content::InputError where the file cannot be written.
  explicit VrTrace(const std::string& file);

  void add(const xr::HeadsetMoment& seen, const physics::Pose& X_WS, const xr::XrHands& hands,
           const Stage& stage, const Moment& moment, const DrawnState& drawn, const VrFrameTimes& times);
  /// Of a session that draws no frames.
  void add(xr::HeadsetState state);

 private:
  std::ofstream out_;
  std::int64_t frame_ = 0;
};

}  // namespace tenon::runtime
