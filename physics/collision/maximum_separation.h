// The plane that separates two convex pieces by most, and the points that touch it.
#pragma once

#include "physics/collision/convex_part.h"

namespace tenon::physics {

/// Closest points, or deepest ones, of the cores of two pieces (surfaces, but of swept pieces what is
/// grown).
struct CorePoints {
  bool apart = false;  ///< farther apart than asked for, proven by a plane: the points are not searched
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();  ///< in the frame of side 0 [m]
  Vector3d n = Vector3d::Zero();                        ///< unit, from side 0 to side 1
  double distance = 0;  ///< separation along n, a lower bound in any case; negative: overlap [m]
};

/// Separation of the cores of `a` and `b` (b placed at X_AB in a's body frame) along `n` [m · |n|], from a
/// to b. For any unit n a lower bound on their distance. Not for half-spaces.
double coreSeparation(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB,
                      const Vector3d& n);

/// Climbs from unit `start` to the direction of the widest separation: of pieces that are apart along
/// `start` to the closest points, else to the closest ones or to a local way out of the overlap. Stops
/// where the separation exceeds `range` [m]. Allocates nothing. Not for half-spaces.
CorePoints maximumSeparation(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB,
                             const Vector3d& start, double range);

}  // namespace tenon::physics
