// Statistics of single solvers, over all problems of a step.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tenon::physics {

/// Counts of gauss-seidel and baraff, summed over the problems of a step.
struct SolverStatistics {
  // gauss-seidel: sweeps, and how often each rule stopped it.
  std::int64_t sweeps = 0;
  std::int64_t stoppedByTolerance = 0, stoppedBySweeps = 0, stoppedByChange = 0, stoppedByTime = 0;
  // baraff, see BaraffStatistics.
  std::int64_t redundant = 0, deferred = 0, flipFlops = 0;
  /// Largest remaining acceleration that is negative, or not zero at a force or joint [m/s², rad/s²].
  double unwantedAcceleration = 0;
  double unwantedForce = 0;  ///< upper bound of the largest negative contact force [N]

  /// Sums, and maxima of the two last.
  void add(const SolverStatistics& other) {
    sweeps += other.sweeps;
    stoppedByTolerance += other.stoppedByTolerance;
    stoppedBySweeps += other.stoppedBySweeps;
    stoppedByChange += other.stoppedByChange;
    stoppedByTime += other.stoppedByTime;
    redundant += other.redundant;
    deferred += other.deferred;
    flipFlops += other.flipFlops;
    unwantedAcceleration = std::max(unwantedAcceleration, other.unwantedAcceleration);
    unwantedForce = std::max(unwantedForce, other.unwantedForce);
  }
};

}  // namespace tenon::physics
