// The last seconds of a live session, for plots and event lists.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/simulation/live_trace.h"

namespace tenon::runtime {

/// The steps within kBin, as one point of a plot.
struct HistoryPoint {
  double time = 0;                   ///< simulated [s]
  double step_us = 0, residual = 0;  ///< maxima [µs], [N]
  int contacts = 0;                  ///< maximum
};

struct CurvePoint {
  double depth_mm = 0, push = 0;     ///< [mm], [N]
  bool hasThread = false;            ///< it has the next two
  double angle_deg = 0, torque = 0;  ///< turned in the direction that tightens [°], [N m]
};

class History {
 public:
  static constexpr double kSpan = 10, kBin = 0.01;  ///< [s]
  static constexpr std::size_t kMaxEvents = 200, kMaxCurvePoints = 4000;

  /// Adds the trace since the last call; `scene`: the current scene.
  void add(const LiveTrace& trace, const content::Scene& scene);
  void clear();

  const std::deque<HistoryPoint>& points() const { return points_; }
  /// Push against depth, and torque against angle, by goal.
  const std::vector<std::vector<CurvePoint>>& curves() const { return curves_; }
  /// "1.234 s  screw is in plate/hole", newest last.
  const std::deque<std::string>& events() const { return events_; }
  std::int64_t eventCount() const { return eventCount_; }

 private:
  std::deque<HistoryPoint> points_;
  std::vector<std::vector<CurvePoint>> curves_;
  std::deque<std::string> events_;
  std::int64_t eventCount_ = 0;
};

}  // namespace tenon::runtime
