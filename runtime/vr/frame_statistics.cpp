// Percentiles of the parts of a frame.
#include "runtime/vr/frame_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

void FrameStatistics::add(const xr::FrameTimes& times, std::int64_t displayTime_ns,
                          std::int64_t displayPeriod_ns, double physics) {
  ++frames_;
  if (last_ns_ >= 0 && displayPeriod_ns > 0) {
    const double periods =
        static_cast<double>(displayTime_ns - last_ns_) / static_cast<double>(displayPeriod_ns);
    missed_ += std::max(std::llround(periods) - 1, 0LL);
  }
  last_ns_ = displayTime_ns;
  period_ns_ = displayPeriod_ns;
  wait_.add(times.wait);
  begin_.add(times.begin);
  locate_.add(times.locate);
  scene_.add(times.application);
  draw_.add(times.draw);
  end_.add(times.end);
  cpu_.add(times.cpu);
  gpu_.add(times.gpu);
  scaleSum_ += times.scale;
  physics_.add(physics);
}

std::string FrameStatistics::summary(double realTime) const {
  const auto p50p99 = [](const StepTimes& times) {
    return fmt::format("{:.2f}/{:.2f}", times.percentile(50), times.percentile(99));
  };
  return fmt::format(
      "{} frames of {:.1f} ms, {} missed, the first after {:.2f} s; p50/p99 in ms: wait {}, begin {}, eyes "
      "and hands {}, scene {} "
      "(processor "
      "{}), draw {}, end {}, graphics card {} at {:.0f} % of the resolution; physics {:.1f} % of real "
      "time, {} a frame, {:.3f}/{:.3f} a step",
      frames_, 1e-6 * static_cast<double>(period_ns_), missed_, firstFrame_, p50p99(wait_), p50p99(begin_),
      p50p99(locate_), p50p99(scene_), p50p99(cpu_), p50p99(draw_), p50p99(end_), p50p99(gpu_),
      frames_ > 0 ? 100 * scaleSum_ / static_cast<double>(frames_) : 100, 100 * realTime, p50p99(physics_),
      1e-3 * steps_.percentile(50), 1e-3 * steps_.percentile(99));
}

}  // namespace tenon::runtime
