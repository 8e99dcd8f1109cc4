// See frame_times.h.
#include "runtime/preview/frame_times.h"

#include <algorithm>

namespace tenon::runtime {

void FrameTimes::add(const FrameSpan& frame, double now, FrameStats& stats) {
  ++stats.frame;
  stats.frame_ms = shownAt_.empty() ? 1e3 * (now - frame.began) : 1e3 * (now - shownAt_.back());
  stats.draw_ms = 1e3 * (frame.shown - frame.drawn);
  shownAt_.push_back(now);
  while (shownAt_.size() > 2 && shownAt_.front() < now - 1) shownAt_.pop_front();
  const double span = now - shownAt_.front();
  stats.fps = span > 0 ? static_cast<double>(shownAt_.size() - 1) / span : 0;
}

void FrameTimes::addLatency(const FrameSpan& frame, double now, std::int64_t now_ns,
                            const SimulationFrame& moment, const InterpolatedState& drawn,
                            FrameStats& stats) {
  const bool holds = std::any_of(drawn.hands.begin(), drawn.hands.end(),
                                 [](const InterpolatedHand& hand) { return hand.part >= 0; });
  if (!holds || moment.status.scripted || moment.sampleTime_ns < 0 || moment.sampleTime_ns == lastStamp_)
    return;
  lastStamp_ = moment.sampleTime_ns;
  stats.latency_ms = 1e-6 * static_cast<double>(now_ns - moment.sampleTime_ns) - 1e3 * (now - frame.shown);
}

}  // namespace tenon::runtime
