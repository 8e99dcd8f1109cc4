// The borders of the faces of a BoundarySolid.
#pragma once

#include <utility>
#include <vector>

#include "content/recognize/solid_faces.h"

namespace tenon::content {

using MeshSide = std::pair<int, int>;      ///< directed edge of a triangle, by its vertices
using BorderLoop = std::vector<MeshSide>;  ///< edges from one to the next, the face at their left

/// Refers to the solid and to its faces.
class FaceBorders {
 public:
  FaceBorders(const physics::BoundarySolid& solid, const std::vector<SolidFace>& faces);

  MeshSide sideOf(std::size_t triangle, std::size_t k) const {
    return {solid_.triangles[triangle][k], solid_.triangles[triangle][(k + 1) % 3]};
  }

  /// The triangle beyond an edge of another one; −1: nothing.
  int triangleBeyond(const MeshSide& side) const;

  /// The face of a triangle; −1: none of the faces.
  int faceOf(int triangle) const { return faceOf_[static_cast<std::size_t>(triangle)]; }

  /// The face beyond an edge of another one; −1: none of the faces, or nothing.
  int faceBeyond(const MeshSide& side) const {
    const int triangle = triangleBeyond(side);
    return triangle < 0 ? -1 : faceOf(triangle);
  }

  /// The closed loops around face f.
  std::vector<BorderLoop> bordersOf(int f) const;

  /// Area of a plane loop, counter-clockwise about the unit vector `out`; negative of an inner border [m²].
  double areaOf(const BorderLoop& loop, const Vector3d& out) const;

  /// The parts of an outer border, in the plane across `out`, between neighboring corners of its convex hull,
  /// of three and more edges.
  std::vector<BorderLoop> notchesOf(const BorderLoop& loop, const Vector3d& out) const;

 private:
  const Vector3d& point(int vertex) const { return solid_.vertices[static_cast<std::size_t>(vertex)]; }

  const physics::BoundarySolid& solid_;
  const std::vector<SolidFace>& faces_;
  std::vector<int> faceOf_;                           // by triangle; −1: on another surface
  std::vector<std::pair<MeshSide, int>> triangleAt_;  // sorted
};

}  // namespace tenon::content
