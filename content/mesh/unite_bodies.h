// Unites bodies of a mesh that overlap, so that one surface is left around all of them.
#pragma once

#include <optional>

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

/// The boundary of all points inside at least one body: faces are cut where they cross, and what lies inside
/// another body, or face to face with it, is left out. Of a surface that crosses itself, too. Points within
/// the weld distance of a plane count as on it; new corners lie on the given triangles. The report is that of
/// the whole repair, with `hiddenTriangles`. Empty if nothing is hidden, and where the result is not a closed
/// surface without crossings. `mesh` must be closed and oriented. O(n log n + k), k pairs of triangles that
/// cross.
std::optional<RepairedMesh> uniteBodies(const RepairedMesh& mesh);

}  // namespace tenon::content
