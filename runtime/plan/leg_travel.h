// How far a part can go along a leg of a path until it meets another one.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "runtime/plan/path_check.h"

namespace tenon::runtime {

/// Exact distances along legs of paths, as in PathCheck. Overlap of the assembled state may remain, but not
/// grow by more than 2 µm.
class LegTravel {
 public:
  /// Borrows the first two. Once `stop` returns true every leg counts as blocked.
  LegTravel(const Assembly& assembly, PartDistance& distance, std::function<bool()> stop)
      : assembly_(assembly), distance_(distance), stop_(std::move(stop)) {}

  /// The share of the leg after which the part, from X_WP, meets `other` at X_WO; 1 if it does not.
  double freeShare(const PathLeg& leg, int part, const physics::Pose& X_WP, int other,
                   const physics::Pose& X_WO);

  /// True if they overlap at these poses by more than on any path.
  bool overlap(int part, const physics::Pose& X_WP, int other, const physics::Pose& X_WO);

  /// Interval of the straight travel [m] in which their bounds overlap; empty: never.
  std::optional<std::pair<double, double>> interval(int part, const physics::Pose& X_WP, int other,
                                                    const physics::Pose& X_WO,
                                                    const physics::Vector3d& d) const;

  bool isStopped() const { return stop_(); }

 private:
  double allowedSeparation(int part, int other);
  double lastClear(const PathLeg& leg, const PartSweep& sweep, double from, double to);

  const Assembly& assembly_;
  PartDistance& distance_;
  std::function<bool()> stop_;
  std::map<std::pair<int, int>, double> assembled_;  ///< separation of pairs in the assembled state [m]
};

}  // namespace tenon::runtime
