// Keeps a bounded number of points, curve points and events.
#include "runtime/live_view/history.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/report/event_text.h"

namespace tenon::runtime {

void History::clear() {
  points_.clear();
  curves_.clear();
}

void History::add(const LiveTrace& trace, const content::Scene& scene) {
  for (const StepPoint& step : trace.steps) {
    const double time = 1e-9 * static_cast<double>(step.time_ns);
    // Time decreases after a reset or an undo.
    if (!points_.empty() && time < points_.back().time) clear();
    if (points_.empty() || time >= points_.back().time + kBin) points_.push_back({time, 0, 0, 0});
    HistoryPoint& bin = points_.back();
    bin.step_us = std::max(bin.step_us, step.step_us);
    bin.residual = std::max(bin.residual, step.residual);
    bin.contacts = std::max(bin.contacts, step.contacts);
  }
  while (!points_.empty() && points_.front().time < points_.back().time - kSpan) points_.pop_front();
  curves_.resize(scene.goals.size());
  for (const GoalPoint& point : trace.goals) {
    if (point.goal < 0 || static_cast<std::size_t>(point.goal) >= curves_.size()) continue;
    std::vector<CurvePoint>& curve = curves_[static_cast<std::size_t>(point.goal)];
    if (curve.size() >= kMaxCurvePoints) curve.erase(curve.begin(), curve.begin() + kMaxCurvePoints / 2);
    curve.push_back({1e3 * point.depth, point.push, point.hasThread, 360 * point.driven, point.torque});
  }
  for (const SessionEvent& event : trace.events) {
    events_.push_back(fmt::format("{:8.3f} s  {}", event.time, describeEvent(event, scene)));
    if (events_.size() > kMaxEvents) events_.pop_front();
    ++eventCount_;
  }
}

}  // namespace tenon::runtime
