// Frame timing statistics of a headset session, to find the cause of dropped frames.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/assess/step_times.h"
#include "xr/display/headset.h"

namespace tenon::runtime {

class FrameStatistics {
 public:
  /// Adds a displayed frame with its predicted display time and period [ns]; `physics`: time of the steps
  /// since the previous frame [ms].
  void add(const xr::FrameTimes& times, std::int64_t displayTime_ns, std::int64_t displayPeriod_ns,
           double physics);
  /// Call when frames stop, so that the gap is not counted as missed frames.
  void pause() { last_ns_ = -1; }

  std::int64_t frames() const { return frames_; }
  /// Display periods without a new frame.
  std::int64_t missed() const { return missed_; }
  /// "900 frames of 11.1 ms, 2 missed; p50/p99 in ms: wait 8.10/9.02, ...; physics 0.52/1.31, 5 % of a
  /// frame".
  std::string summary() const;

 private:
  std::int64_t frames_ = 0, missed_ = 0, last_ns_ = -1, period_ns_ = 0;
  StepTimes wait_, begin_, locate_, scene_, draw_, end_, cpu_, physics_;
  double physicsSum_ = 0, periodSum_ = 0;  ///< [ms]
};

}  // namespace tenon::runtime
