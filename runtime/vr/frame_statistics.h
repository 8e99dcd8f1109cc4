// How the frames of a session with a headset went: a line for whoever wants to know why it is not smooth.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/assess/step_times.h"
#include "xr/display/headset.h"

namespace tenon::runtime {

class FrameStatistics {
 public:
  /// A frame that was seen: when it was to be seen, and how long it lasts [ns]; `physics` is the time that
  /// the steps took which were done since the frame before [ms].
  void add(const xr::FrameTimes& times, std::int64_t displayTime_ns, std::int64_t displayPeriod_ns,
           double physics);
  /// The next frame follows upon none.
  void pause() { last_ns_ = -1; }

  std::int64_t frames() const { return frames_; }
  /// Places for a frame that had none, by the times of display.
  std::int64_t missed() const { return missed_; }
  /// "900 frames of 11.1 ms, 2 missed; p50/p99 in ms: wait 8.10/9.02, ...; physics 0.52/1.31, 5 % of a
  /// frame".
  std::string summary() const;

 private:
  std::int64_t frames_ = 0, missed_ = 0, last_ns_ = -1, period_ns_ = 0;
  StepTimes wait_, begin_, ask_, own_, draw_, end_, cpu_, physics_;
  double physicsSum_ = 0, periodSum_ = 0;  ///< [ms]
};

}  // namespace tenon::runtime
