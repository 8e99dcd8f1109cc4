// Exact contacts of solids of revolution with convex polytopes.
#pragma once

#include <vector>

#include "physics/collision/geometry/polytope.h"
#include "physics/collision/revolved/revolved_contacts.h"

namespace tenon::physics {

/// A convex polytope prepared for exact contacts. Features: faces, then edges, then corners.
struct PolytopeGeometry {
  struct Border {
    Vector3d outward = Vector3d::Zero();  ///< unit, in the face's plane
    double offset = 0;                    ///< outward · p on the border [m]
  };
  FlatFeatures flat;
  std::vector<Border> borders;         ///< grouped by face
  std::vector<int> firstBorder;        ///< by face; one more than faces
  Vector3d center = Vector3d::Zero();  ///< bounding sphere [m]
  double boundingRadius = 0;           ///< its radius [m]
};

/// Throws std::invalid_argument if `polytope` has internal faces or more than kMaxFeatures features.
PolytopeGeometry prepare(const Polytope& polytope);

/// Signed distance of `p` to the surface, exact to rounding. Allocates nothing.
SurfaceHit nearestOn(const PolytopeGeometry& polytope, const Vector3d& p);

/// As revolvedBlockContacts().
void revolvedPolytopeContacts(const RevolvedGeometry& a, const PolytopeGeometry& b, const Pose& X_BA,
                              double range, std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
