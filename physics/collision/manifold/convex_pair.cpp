// Geometry of two convex parts that all kinds of features use.
#include "physics/collision/manifold/convex_pair.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics {

ConvexPair::ConvexPair(const QuerySide& i, const QuerySide& j, double maxSeparation)
    : sides{i, j},
      range(maxSeparation),
      shallow(std::max(kShallowOverlap, 0.25 * std::min(part(0).thickness, part(1).thickness))) {}

double ConvexPair::separationAlong(int s, const Vector3d& n) const {
  const RigidTransform& X = X_SO(s);
  return n.dot(X.p) - supportValue(part(1 - s), -(X.R.transpose() * n)) - supportValue(part(s), n);
}

Vector3d ConvexPair::towardsOther(int s, const Vector3d& n) const {
  return s == 0 ? n : Vector3d(-(X_SO(0).R * n));
}

ConicalSide ConvexPair::sideIn(int s) const {
  const ConvexPart& other = part(1 - s);
  const RigidTransform& X = X_SO(s);
  ConicalSide side{X.point(other.center), X.vector(other.axis), other.halfLength, 0, 0};
  side.midRadius = 0.5 * (other.radius[0] + other.radius[1]);
  if (other.kind == ConvexPartKind::cylinderOrCone)
    side.slope = (other.radius[1] - other.radius[0]) / (2 * other.halfLength);
  return side;
}

Vector3d endOf(const ConvexPart& convexPart, int end) {
  return convexPart.center + (end ? convexPart.halfLength : -convexPart.halfLength) * convexPart.axis;
}

bool contains(const ConvexPart& convexPart, const Vector3d& p) {
  switch (convexPart.kind) {
    case ConvexPartKind::polytope:
      return std::all_of(
          convexPart.polytope.faces.begin(), convexPart.polytope.faces.end(),
          [&](const auto& face) { return face.normal.dot(p) - face.offset <= kBorderTolerance; });
    case ConvexPartKind::cylinderOrCone: {
      const Vector3d r = p - convexPart.center;
      const double z = r.dot(convexPart.axis);
      if (std::abs(z) > convexPart.halfLength + kBorderTolerance) return false;
      const double share = 0.5 + 0.5 * z / convexPart.halfLength;
      const double radius = convexPart.radius[0] + share * (convexPart.radius[1] - convexPart.radius[0]);
      return (r - z * convexPart.axis).norm() <= radius + kBorderTolerance;
    }
    case ConvexPartKind::sphereSwept: {
      const Vector3d r = p - convexPart.center;
      const double z = std::clamp(r.dot(convexPart.axis), -convexPart.halfLength, convexPart.halfLength);
      return (r - z * convexPart.axis).norm() <= convexPart.radius[0] + kBorderTolerance;
    }
    case ConvexPartKind::halfSpace:
      return true;
  }
  return false;
}

}  // namespace tenon::physics
