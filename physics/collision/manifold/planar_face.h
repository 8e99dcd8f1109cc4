// A planar face of a convex part: a polygon, a disc, or a whole plane.
#pragma once

#include <array>

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

  /// An end of a segment that was clipped to a face.
  struct End {
    double t = 0;                         ///< position on the segment [-]
    bool atSeam = false;                  ///< the face continues there in the adjacent convex part
    bool atEdge = false;                  ///< the face ends there at an edge of the part's surface
    Vector3d outward = Vector3d::Zero();  ///< unit normal of the border there, in the face; zero: not clipped
  };
  /// Clips the segment p + t d, t in [0, 1], to the face: `ends` are at 0 and 1 before. False if nothing
  /// remains.
  bool clip(const Vector3d& p, const Vector3d& d, std::array<End, 2>& ends) const;

 private:
  bool clipToPolygon(const Vector3d& p, const Vector3d& d, std::array<End, 2>& ends) const;
};

int faceCount(const ConvexPart& convexPart);

/// Face `k` of faceCount(), in the part's frame.
PlanarFace faceOf(const ConvexPart& convexPart, int k);

}  // namespace tenon::physics
