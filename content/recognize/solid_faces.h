// The faces of a shape: surfaces with the triangles that cover them.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/geometry/bounds.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

using physics::Vector3d;

/// A triangle that covers a part of a face, or with the sign −1 takes that part away: the mouth of a hole.
struct FaceTriangle {
  std::array<Vector3d, 3> corners{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};  ///< [m]
  double sign = 1;
};

/// A connected part of the boundary on one surface.
struct SolidFace {
  /// In the frame of the part; its `side` is that of the material.
  physics::Surface surface;
  std::vector<FaceTriangle> cover;  ///< corners on the surface; of round faces with chords between them
  std::vector<int> triangles;       ///< of a BoundarySolid: all that belong to the face
  physics::Bounds bounds;           ///< [m]
};

/// The faces on planes, cylinders and cones, in the frame of the shape, those of a compound's children
/// included. Triangles of a BoundarySolid without a surface form planes with those beside them that lie in
/// the same plane to brep::kCoplanar. Circles of other shapes are covered by 64 chords. Left out are faces on
/// other surfaces, parts with a thread, faceted blocks and half-spaces.
std::vector<SolidFace> facesOf(const physics::Shape& shape);
std::vector<SolidFace> facesOf(const physics::BoundarySolid& solid);

/// The same surface in frame A of X_AB.
physics::Surface placedSurface(const physics::RigidTransform& X_AB, const physics::Surface& surface);

}  // namespace tenon::content
