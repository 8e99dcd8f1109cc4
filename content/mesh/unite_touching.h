// Unites bodies of a mesh, faces of which may be coplanar but for the rounding of their coordinates.
#pragma once

#include <optional>

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

/// As uniteBodies(), by comparisons with a tolerance: faces within 5 % of the weld distance lie in one plane,
/// so that nothing remains between bodies that touch. New corners lie on the given triangles, to the weld
/// distance and the cracks that the repair of the result closes. The report is that of the second repair,
/// with `hiddenTriangles`.
struct TouchingUnion {
  /// Empty if nothing is hidden, where a surface is inside out, where the result is not a closed surface
  /// without crossings, and above 5e7 comparisons.
  std::optional<RepairedMesh> mesh;
  bool isNothingHidden = false;
};
TouchingUnion uniteTouching(const RepairedMesh& mesh);

}  // namespace tenon::content
