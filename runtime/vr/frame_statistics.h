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
  /// Adds the time of a step of physics [µs].
  void addStep(double step_us) { steps_.add(step_us); }
  /// The first frame was submitted so long after the start of the program [s].
  void setFirstFrame(double time) { firstFrame_ = time; }
  /// Call when frames stop, so that the gap is not counted as missed frames.
  void pause() { last_ns_ = -1; }

  std::int64_t frames() const { return frames_; }
  /// Display periods without a new frame.
  std::int64_t missed() const { return missed_; }
  /// "900 frames of 11.1 ms, 2 missed, the first after 0.61 s; p50/p99 in ms: wait 8.10/9.02, ...; physics
  /// 100.0 % of real time, 0.52/1.31 a frame, 0.048/0.112 a step". `realTime`: share of the due steps that
  /// were computed.
  std::string summary(double realTime) const;

 private:
  std::int64_t frames_ = 0, missed_ = 0, last_ns_ = -1, period_ns_ = 0;
  double firstFrame_ = 0;  ///< [s]
  StepTimes steps_;        ///< [µs]
  StepTimes wait_, begin_, locate_, scene_, draw_, end_, cpu_, gpu_, physics_;
  double scaleSum_ = 0;  ///< of the frames' resolution
};

}  // namespace tenon::runtime
