// The faces of a solid of triangles: which triangles they have, and where they meet.
#pragma once

#include <cstddef>
#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::content {

using physics::Vector3d;

/// Faces continue each other smoothly where the sine of the angle between their normals is smaller [-].
inline constexpr double kSmoothBorder = 1e-4;

/// The index of a vertex, triangle or face in a vector.
inline std::size_t asIndex(int index) {
  return static_cast<std::size_t>(index);
}

/// One face: triangles that share edges, and have one surface or, without surfaces, one plane.
struct MeshFace {
  physics::Surface surface;    ///< with the side of its material; of triangles without surface their plane
  int index = -1;              ///< of the surface in BoundarySolid::surfaces; −1: none
  std::vector<int> triangles;  ///< ascending

  bool isPlane() const { return surface.kind == physics::SurfaceKind::plane; }
  /// Outward unit normal at the foot of `p` [m, frame of the solid].
  Vector3d normalAt(const Vector3d& p) const;
  /// Distance of `p` [m, frame of the solid] outside of the surface [m].
  double distanceOf(const Vector3d& p) const;
};

/// An edge of a triangle between two faces.
struct FaceBorder {
  int from = 0, to = 0;       ///< vertices, as the triangle of `left` runs
  int left = -1, right = -1;  ///< faces
};

struct FaceTopology {
  std::vector<MeshFace> faces;
  std::vector<int> faceOf;                ///< of each triangle
  std::vector<std::vector<int>> facesAt;  ///< of each vertex, ascending
  std::vector<FaceBorder> borders;

  /// Points of a border at which its faces can be compared: its ends, and its middle on the left one [m].
  std::vector<Vector3d> pointsOf(const FaceBorder& border, const physics::BoundarySolid& solid) const;
  /// True if its faces continue each other there.
  bool isSmooth(const FaceBorder& border, const physics::BoundarySolid& solid) const;
};

/// The faces of a closed solid, as physics::brep::solidOfTriangles() joins triangles.
FaceTopology topologyOf(const physics::BoundarySolid& solid);

/// Middle of a triangle [m].
Vector3d middleOf(const physics::BoundarySolid& solid, int triangle);

}  // namespace tenon::content
