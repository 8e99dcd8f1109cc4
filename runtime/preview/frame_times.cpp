// Computes frame statistics over the last second.
#include "runtime/preview/frame_times.h"

#include <algorithm>

namespace tenon::runtime {

void FrameTimes::add(const FrameSpan& frame, double now, FrameStats& stats) {
  ++stats.frame;
  stats.frame_ms = presentTimes_.empty() ? 1e3 * (now - frame.start) : 1e3 * (now - presentTimes_.back());
  stats.draw_ms = 1e3 * (frame.presented - frame.renderStart);
  presentTimes_.push_back(now);
  while (presentTimes_.size() > 2 && presentTimes_.front() < now - 1) presentTimes_.pop_front();
  const double span = now - presentTimes_.front();
  stats.fps = span > 0 ? static_cast<double>(presentTimes_.size() - 1) / span : 0;
}

void FrameTimes::addLatency(const FrameSpan& frame, double now, std::int64_t now_ns,
                            const SimulationFrame& simulationFrame, const InterpolatedState& drawn,
                            FrameStats& stats) {
  const bool holds = std::any_of(drawn.hands.begin(), drawn.hands.end(),
                                 [](const InterpolatedHand& hand) { return hand.part >= 0; });
  if (!holds || simulationFrame.status.scripted || simulationFrame.sampleTime_ns < 0 ||
      simulationFrame.sampleTime_ns == lastSampleTime_ns_)
    return;
  lastSampleTime_ns_ = simulationFrame.sampleTime_ns;
  stats.latency_ms =
      1e-6 * static_cast<double>(now_ns - simulationFrame.sampleTime_ns) - 1e3 * (now - frame.presented);
}

}  // namespace tenon::runtime
