// Frame rate and mouse latency of the preview.
#pragma once

#include <cstdint>
#include <deque>

#include "runtime/live_view/view_state.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// Start of a frame, start of its rendering, and its presentation [s], by xr::Window::now().
struct FrameSpan {
  double start = 0, renderStart = 0, presented = 0;
};

class FrameTimes {
 public:
  /// Adds the frame that has just been presented, at `now` [s].
  void add(const FrameSpan& frame, double now, FrameStats& stats);
  /// Measures the latency from mouse to frame while a mouse hand holds a part. `now_ns`: session clock at
  /// `now` [s].
  void addLatency(const FrameSpan& frame, double now, std::int64_t now_ns,
                  const SimulationFrame& simulationFrame, const InterpolatedState& drawn, FrameStats& stats);

 private:
  std::deque<double> presentTimes_;      ///< presentation times of the last second [s]
  std::int64_t lastSampleTime_ns_ = -1;  ///< of the last measured hand sample
};

}  // namespace tenon::runtime
