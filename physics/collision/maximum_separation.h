// Maximum separation of two convex parts over all directions, with the closest points.
#pragma once

#include "physics/collision/convex_part.h"

namespace tenon::physics {

/// Closest or deepest points of the cores of two convex parts (the core of a sphere-swept part is its point
/// or segment, of all others the part itself).
struct CorePoints {
  bool isSeparated = false;  ///< proven to be farther apart than the range: a and b are not computed
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();  ///< in the frame of side 0 [m]
  Vector3d n = Vector3d::Zero();                        ///< unit, from side 0 to side 1
  double distance = 0;  ///< separation along n, always a lower bound; negative: overlap [m]
};

/// Separation of the cores of `a` and `b` (b placed at X_AB in a's body frame) along `n` from a to b [m ·
/// |n|]. A lower bound on their distance for any unit n. Not for half-spaces.
double coreSeparation(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB,
                      const Vector3d& n);

/// Maximizes the separation over unit directions, from unit `start`. If the parts are separated along `start`
/// the result is the pair of closest points, otherwise a local maximum: the closest points or a local
/// penetration depth. Stops once the separation exceeds `range` [m]. Allocates nothing. Not for half-spaces.
CorePoints maximumSeparation(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB,
                             const Vector3d& start, double range);

}  // namespace tenon::physics
