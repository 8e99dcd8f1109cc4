// Triangles almost without area among others: the edge along them is turned.
#pragma once

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

/// Where a corner of a triangle lies within `height` [m] of the opposite side, and the triangle beyond that
/// side has an area: both are divided along the other diagonal, and become parts of that triangle's surface.
/// Moves the surface by at most `height`. Of a closed mesh; deterministic; O(n log n).
void flipNeedles(double height, RepairedMesh& mesh);

}  // namespace tenon::content
