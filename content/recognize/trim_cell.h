// Cells of a partition without what reaches out of the solid.
#pragma once

#include <vector>

#include "content/mesh/triangle_bvh.h"

namespace tenon::content {

/// The convex hull of the solid in a convex cell, where a corner of the cell lies further than `tolerance`
/// [m] outside the mesh; else the cell as it is. Planes of faces that meet at a small angle meet far from the
/// faces, and a cell's corner there is a spike. Empty where nothing of the solid is in the cell.
std::vector<Vector3d> trimmedCell(const std::vector<Vector3d>& corners, const TriangleBvh& mesh,
                                  double tolerance);

}  // namespace tenon::content
