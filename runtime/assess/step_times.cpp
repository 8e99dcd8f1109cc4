// Percentiles by nearest rank over evenly thinned samples.
#include "runtime/assess/step_times.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

void StepTimes::add(double time) {
  maximum_ = std::max(maximum_, time);
  if (count_++ % stride_ != 0) return;
  if (samples_.size() == kMaxKept) {
    for (std::size_t i = 0; i < kMaxKept / 2; ++i) samples_[i] = samples_[2 * i];
    samples_.resize(kMaxKept / 2);
    stride_ *= 2;  // kMaxKept is even, so this time also belongs to the new stride
  }
  samples_.push_back(time);
}

double StepTimes::percentile(double percent) const {
  if (samples_.empty()) return 0;
  const auto count = static_cast<double>(samples_.size());
  const double rank = std::clamp(std::ceil(percent / 100.0 * count), 1.0, count);
  std::vector<double> times = samples_;
  const auto nth = times.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::nth_element(times.begin(), nth, times.end());
  return *nth;
}

}  // namespace tenon::runtime
