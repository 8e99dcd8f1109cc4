// Percentiles of step times in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::runtime {

/// Percentiles of a stream of times. Exact up to kMaxKept times; beyond that every second stored time is
/// dropped and only every 2nd, 4th, … new one is stored, so that the samples are spread evenly over the
/// stream. Deterministic: the same stream gives the same numbers.
class StepTimes {
 public:
  static constexpr std::size_t kMaxKept = std::size_t{1} << 20;

  /// `time` in any one unit.
  void add(double time);

  /// Nearest-rank percentile of the stored times, 0 < percent ≤ 100; 0 if there are none.
  double percentile(double percent) const;

  /// Maximum of all times, including dropped ones; 0 if there are none.
  double maximum() const { return maximum_; }

 private:
  std::vector<double> samples_;
  std::uint64_t count_ = 0, stride_ = 1;
  double maximum_ = 0;
};

}  // namespace tenon::runtime
