// How fast pictures come, and how soon they show what the mouse did.
#pragma once

#include <cstdint>
#include <deque>

#include "runtime/live_view/view_state.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// When a picture was begun, when drawing it began, and when it was handed to the display [s], by
/// xr::Window::now().
struct FrameSpan {
  double began = 0, drawn = 0, shown = 0;
};

class FrameTimes {
 public:
  /// Of the picture that has just been shown, at `now` [s].
  void add(const FrameSpan& frame, double now, FrameStats& stats);
  /// The time from the mouse to the picture, where a hand that the mouse moves holds something. `now_ns` is
  /// by the session's clock, at `now` [s].
  void addLatency(const FrameSpan& frame, double now, std::int64_t now_ns, const SimulationFrame& moment,
                  const InterpolatedState& drawn, FrameStats& stats);

 private:
  std::deque<double> shownAt_;   ///< over the last second [s]
  std::int64_t lastStamp_ = -1;  ///< of the hand samples whose way to the picture was measured
};

}  // namespace tenon::runtime
