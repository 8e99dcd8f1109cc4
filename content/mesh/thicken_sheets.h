// Gives the open surfaces of a mesh a back side, so that they collide from both sides.
#pragma once

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

/// Thickness of an open surface [m]: its front is the given surface, its back lies this far behind it.
inline constexpr double kSheetThickness = 1e-6;

/// `mesh` with a back side and a rim of kSheetThickness for each body that is not closed; closed bodies stay
/// as they are. Edges of three or more triangles, and those where no orientation fits, end the surfaces that
/// meet there. The report stays that of `mesh`, so that its mass is unknown. O(n log n).
RepairedMesh thickenSheets(const RepairedMesh& mesh);

}  // namespace tenon::content
