// Unites bodies of a mesh that overlap, so that one surface is left around all of them.
#pragma once

#include <optional>

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

/// The boundary of all points inside at least one body: faces are cut where they cross, and what lies inside
/// another body, or face to face with it, is left out. Of a surface that crosses itself, too. New corners lie
/// on the given triangles, to the weld distance and the cracks that the repair of the result closes. The
/// report is that of both repairs, with `unitedBodies` and `hiddenTriangles`. Empty if nothing is hidden,
/// where a surface is inside out, where the result is not a closed surface without crossings, and above 5e7
/// comparisons. `mesh` must be closed and oriented. O(n log n + k p), k pairs of triangles that cross, p
/// pieces of a triangle.
std::optional<RepairedMesh> uniteBodies(const RepairedMesh& mesh);

}  // namespace tenon::content
