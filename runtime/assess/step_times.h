// How long steps took, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::runtime {

/// Percentiles of a stream of times. Exact up to kMaxKept times; beyond that every second one kept so
/// far is dropped and from then on only every 2nd, 4th, … is kept, so that what is kept is spread
/// evenly over the stream. No chance in it: the same stream gives the same numbers.
class StepTimes {
 public:
  static constexpr std::size_t kMaxKept = std::size_t{1} << 20;

  /// Times in any one unit.
  void add(double time);

  /// The smallest kept time that at least `percent` (0 < percent ≤ 100) of the kept times do not
  /// exceed (nearest rank); 0 where there are none.
  double percentile(double percent) const;

  /// The largest of all times, dropped ones included; 0 where there are none.
  double maximum() const { return maximum_; }

 private:
  std::vector<double> samples_;
  std::uint64_t count_ = 0, stride_ = 1;
  double maximum_ = 0;
};

}  // namespace tenon::runtime
