// What single solvers have to tell of their work, over all problems of a step.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tenon::physics {

struct SolverStatistics {
  // gauss-seidel: sweeps, and by which rule it stopped how often.
  std::int64_t sweeps = 0;
  std::int64_t stoppedByTolerance = 0, stoppedBySweeps = 0, stoppedByChange = 0, stoppedByTime = 0;
  // baraff, see BaraffStatistics.
  std::int64_t redundant = 0, deferred = 0, flipFlops = 0;
  /// Largest acceleration left that is negative, or not zero where there is force or a joint [m/s², rad/s²].
  double unwantedAcceleration = 0;
  double unwantedForce = 0;  ///< largest pull of a contact, an upper bound [N]

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
