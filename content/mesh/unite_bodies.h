// Unites bodies of a mesh that overlap, so that one surface is left around all of them.
#pragma once

#include <optional>

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

struct UnitedBodies {
  /// Empty if nothing is hidden, if a fold is deeper than allowed, if there are too many crossings, and where
  /// the result is not closed.
  std::optional<RepairedMesh> mesh;
  double foldDepth = 0;  ///< if one is too deep: of parts that are inside out, at corners and middles of
                         ///< their pieces: the largest distance from what remains [m]
  Vector3d foldPosition = Vector3d::Zero();  ///< there [m]
  bool areTooMany = false;                   ///< crossings: it would take more than some 20 s
};

/// The boundary of all points inside at least one body: faces are cut where they cross, and what lies inside
/// another body, or face to face with it, is left out. Of a surface that crosses itself, too; where it is
/// inside out, at folds up to `foldDepth` [m] deep, that part is left out. Where comparisons with a tolerance
/// do not succeed, vertices move by up to 5 % of a weld distance while this is decided, exactly; then they
/// return. The report is that of both repairs, with `unitedBodies`, `hiddenTriangles` and `foldedTriangles`.
/// `mesh` must be closed and oriented. O(n log n + k p), k pairs of triangles that cross, p pieces of a
/// triangle.
UnitedBodies uniteBodies(const RepairedMesh& mesh, double foldDepth = 0);

}  // namespace tenon::content
