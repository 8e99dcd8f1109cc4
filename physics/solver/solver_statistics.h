// Statistics of single solvers, over all problems of a step.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tenon::physics {

/// Counts of gauss-seidel and baraff, summed over the problems of a step.
struct SolverStatistics {
  std::int64_t sweeps = 0;              ///< gauss-seidel: sweeps over all contacts
  std::int64_t stoppedByTolerance = 0;  ///< gauss-seidel: problems solved to tolerance
  std::int64_t stoppedBySweeps = 0;     ///< gauss-seidel: problems stopped by SweepOptions::sweeps
  std::int64_t stoppedByChange = 0;     ///< gauss-seidel: problems stopped by SweepOptions::change
  std::int64_t stoppedByTime = 0;       ///< gauss-seidel: problems stopped by SweepOptions::time_us
  std::int64_t redundant = 0;           ///< baraff: contacts and joints that depend on others
  std::int64_t deferred = 0;            ///< baraff: contacts deferred because treating them cycled
  std::int64_t flipFlops = 0;           ///< baraff: steps of length zero that undid another one
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
