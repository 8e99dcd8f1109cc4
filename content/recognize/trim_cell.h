// Trims cells of a space partition to the solid.
#pragma once

#include <vector>

#include "content/mesh/triangle_bvh.h"

namespace tenon::content {

/// The convex hull of the part of the solid inside a convex cell, if a corner of the cell lies further than
/// `tolerance` [m] outside the mesh; else the cell itself. Such spikes occur where planes intersect at a
/// small angle, far from their faces. Empty if the cell contains nothing of the solid.
std::vector<Vector3d> trimmedCell(const std::vector<Vector3d>& corners, const TriangleBvh& mesh,
                                  double tolerance);

}  // namespace tenon::content
