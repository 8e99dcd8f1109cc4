// A planar face of a convex part: a polygon, a disc, or a whole plane.
#pragma once

#include "physics/collision/convex_part.h"

namespace tenon::physics {

struct PlanarFace {
  int index = 0;
  Vector3d normal = Vector3d::Zero();
  double offset = 0;
  const Polytope* polytope = nullptr;
  const Polytope::Face* polygon = nullptr;
  Vector3d center = Vector3d::Zero();
  double radius = -1;  ///< of a disc [m]
  bool internal = false;

  /// True if the projection of `p` is on the face, with kBorderTolerance.
  bool has(const Vector3d& p) const;

  /// Clips the segment p + t d, t in [0, 1], to the face; false if nothing remains. atSeam[k]: end k is where
  /// the face continues in the adjacent convex part.
  bool clip(const Vector3d& p, const Vector3d& d, double (&t)[2], bool (&atSeam)[2]) const;

 private:
  bool clipToPolygon(const Vector3d& p, const Vector3d& d, double (&t)[2], bool (&atSeam)[2]) const;
};

int faceCount(const ConvexPart& convexPart);

/// Face `k` of faceCount(), in the part's frame.
PlanarFace faceOf(const ConvexPart& convexPart, int k);

}  // namespace tenon::physics
