// Two convex parts at given poses: the input of every step of contact generation. Side 0 belongs to body i,
// side 1 to body j; a function with parameter `s` works in the frame of the body of side s.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/convex_part.h"
#include "physics/collision/geometry/closest_points.h"

namespace tenon::physics {

/// One of the two convex parts of a query.
struct QuerySide {
  const std::vector<ConvexPart>* convexParts = nullptr;  ///< of its body
  int index = 0;                                         ///< of the convex part among them
  RigidTransform X_WS;                                   ///< its body's frame in the world
  RigidTransform X_SO;                                   ///< the other body's frame in its own
  const ConvexPart& convexPart() const { return (*convexParts)[static_cast<std::size_t>(index)]; }
};

struct ConvexPair {
  /// Contacts with δ ≤ `maxSeparation` [m] are wanted.
  ConvexPair(const QuerySide& i, const QuerySide& j, double maxSeparation);

  const ConvexPart& part(int s) const { return sides[s].convexPart(); }
  const RigidTransform& X_SO(int s) const { return sides[s].X_SO; }
  bool areBoth(ConvexPartKind kind) const { return part(0).kind == kind && part(1).kind == kind; }

  /// Lower bound on the distance of the convex parts [m]: their separation along unit `n`, given in the
  /// frame of side `s` and pointing to the other side. Exact along the right direction.
  double separationAlong(int s, const Vector3d& n) const;
  /// `n`, in the frame of s and to the other side, as a direction from side 0 to side 1 in the frame of side
  /// 0.
  Vector3d towardsOther(int s, const Vector3d& n) const;
  /// The curved side of the other convex part, in the frame of s.
  ConicalSide sideIn(int s) const;

  std::array<QuerySide, 2> sides;
  double range;    ///< contacts up to this separation are listed [m]
  double shallow;  ///< overlap up to which contacts of features are listed [m]
};

/// End 0 or 1 of the axis or core of a cylinder, cone or sphere-swept part, in the part's frame [m].
Vector3d endOf(const ConvexPart& convexPart, int end);

/// True where p (the convex part's frame) is inside the convex part or within the tolerance of it.
bool contains(const ConvexPart& convexPart, const Vector3d& p);

}  // namespace tenon::physics
