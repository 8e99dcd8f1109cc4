// Haptics and sounds of a headset session.
#pragma once

#include <cstdint>
#include <functional>

#include "runtime/simulation/live_trace.h"
#include "runtime/simulation/simulation_frame.h"
#include "runtime/vr/contact_haptics.h"
#include "runtime/vr/goal_chime.h"
#include "xr/hands/xr_hands.h"
#include "xr/sound/speaker.h"

namespace tenon::runtime {

class VrFeedback {
 public:
  explicit VrFeedback(bool sound) : speaker_(sound) {}

  bool hasSound() const { return speaker_.isAvailable(); }
  /// Forgets contacts and goals, when a scene starts.
  void reset();
  /// Haptics and sounds of contacts, and the chime of reached goals. `pulse`: vibrates the left (0) or right
  /// (1) controller with an amplitude in [0, 1].
  void update(const xr::XrHands& hands, const SimulationFrame& frame, const LiveTrace& trace, bool soundOn,
              const std::function<void(std::size_t side, double amplitude)>& pulse);
  std::int64_t pulseCount() const { return pulses_; }

 private:
  xr::Speaker speaker_;
  ContactHaptics contactHaptics_;
  GoalChime goalChime_;
  std::int64_t pulses_ = 0;
};

}  // namespace tenon::runtime
