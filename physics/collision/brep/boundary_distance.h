// The boundary of a solid as it collides: the nearest point of its trimmed faces, and samples of a face.
#pragma once

#include <functional>
#include <limits>

#include "physics/collision/brep/solid.h"

namespace tenon::physics::brep {

/// The distance of a point from the boundary of a solid.
struct BoundaryDistance {
  double distance = std::numeric_limits<double>::infinity();  ///< [m], not negative
  int face = -1;  ///< nearest face; at an edge either of its faces
};

/// The distance of `p` [m, frame of the solid] from the nearest face, borders included. Exact where the foot
/// lies on a face or a convex edge is nearest; else from a point within 0.1 % of the nearest one on a border.
/// `guess` > 0: about the distance that is expected, for speed [m].
BoundaryDistance distanceFromBoundary(const Solid& solid, const Vector3d& p, double guess);

/// A point of a face and the part of its area that it stands for.
struct FaceSample {
  Vector3d p = Vector3d::Zero();  ///< frame of the solid [m]
  Vector3d n = Vector3d::Zero();  ///< outward unit normal [-]
  double area = 0;                ///< [m²]; 0: on the border
};

/// Calls visit(sample) for the ends and middles of the borders of a face, and for its points on a grid of
/// about `spacing` [m], but of at least two by two and at most `maxPoints` cells. Faces without bounds (the
/// plane of a half-space) have no samples.
void sampleFace(const Face& face, double spacing, int maxPoints,
                const std::function<void(const FaceSample&)>& visit);

}  // namespace tenon::physics::brep
