// A solid with flat faces, cut into convex pieces without filling anything.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "content/recognize/smooth_regions.h"

namespace tenon::content {

/// A cuboid of the solid that something else describes: nothing in it becomes a piece.
struct CarvedBox {
  physics::Pose X_PC;
  Vector3d halfExtents = Vector3d::Zero();  ///< [m]
};

struct ConvexCells {
  std::vector<std::vector<Vector3d>> convexParts;  ///< corners of each [m]
  double volume = 0;                               ///< of all together [m³]
  /// Planes closer than this count as one [m]: faces lie within it of the mesh's.
  double planeTolerance = 0;
};

/// The solid inside the mesh, less the boxes, as cells of a binary space partition by the planes of its faces
/// (Fuchs, Kedem & Naylor 1980), siblings merged where that adds nothing: no hull over anything that is not
/// solid, so holes stay open. A cell that reaches out of the mesh is trimmed (see trim_cell.h). Faces nearer
/// to one plane than a slack count as one; the slack begins at a rounding of the mesh and grows until no more
/// than `most` pieces are left. Nothing where a hundredth of the extent is not enough. `regions`: as
/// smoothRegions() gives them. O(n²) at worst.
std::optional<ConvexCells> convexCells(const Facets& facets, const std::vector<Region>& regions,
                                       std::span<const CarvedBox> boxes, int maxParts);

}  // namespace tenon::content
