// Decomposes a polyhedral solid into convex parts, without filling holes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "content/recognize/smooth_regions.h"

namespace tenon::content {

/// A cuboid that another shape replaces: no convex part lies in it.
struct CarvedBox {
  physics::Pose X_PC;
  Vector3d halfExtents = Vector3d::Zero();  ///< [m]
};

struct ConvexCells {
  std::vector<std::vector<Vector3d>> convexParts;  ///< vertices of each part [m]
  double volume = 0;                               ///< sum over all parts [m³]
  /// Planes closer than this are merged [m]; it bounds the distance of the faces from those of the mesh.
  double planeTolerance = 0;
};

/// The solid inside the mesh, minus the boxes, as cells of a binary space partition by the planes of its
/// faces (Fuchs, Kedem & Naylor 1980). Siblings are merged if their union is convex, so holes stay open.
/// Cells that reach out of the mesh are trimmed (see trim_cell.h). Faces within the plane tolerance of one
/// plane are merged; the tolerance starts at the rounding of the mesh and grows until at most `maxParts`
/// parts are left. Empty if a tolerance of a hundredth of the extent is not sufficient. `regions`: from
/// smoothRegions(). Cost: O(n²) at worst.
std::optional<ConvexCells> convexCells(const Facets& facets, const std::vector<Region>& regions,
                                       std::span<const CarvedBox> boxes, int maxParts);

}  // namespace tenon::content
