// The least clearance of two parts along their paths.
#pragma once

#include <functional>
#include <optional>

#include "runtime/plan/part_distance.h"
#include "runtime/sweep/part_path.h"

namespace tenon::runtime {

/// Distance up to which the least clearance is not known [m].
inline constexpr double kClearanceAccuracy = 1e-6;

/// The times at which a clearance counts.
enum class ClearanceTimes {
  all,      ///< of the paths
  atPoses,  ///< of either path, as of the steps of a simulation: between them the motion is not known
};

/// A part of the scene on its path; the path of one at rest has one pose.
struct MovingPart {
  int part = -1;
  const PartPath& path;
};

struct LeastClearance {
  double distance = 0;                              ///< to within kClearanceAccuracy [m]; negative: overlap
  double at = 0;                                    ///< time or travel of the paths
  physics::Vector3d p = physics::Vector3d::Zero();  ///< midway between the two surfaces, world [m]
};

/// The least clearance up to `range` [m] while the first path goes on; empty if it is larger. Intervals of
/// time are halved, most promising first: within one, the distance changes by no more than the displacements
/// of the two parts. Empty, too, once `stop` returns true.
std::optional<LeastClearance> leastClearance(PartDistance& distance, const MovingPart& a, const MovingPart& b,
                                             double range, ClearanceTimes times,
                                             const std::function<bool()>& stop);

}  // namespace tenon::runtime
