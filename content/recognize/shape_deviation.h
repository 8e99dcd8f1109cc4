// How far the finished collision shape of a mesh lies off the mesh, measured both ways.
#pragma once

#include <span>

#include "content/recognize/smooth_regions.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// The largest distance of one way, and where.
struct LargestDeviation {
  double distance = 0;                   ///< [m]
  Vector3d position = Vector3d::Zero();  ///< in the frame of the file [m]
};

struct ShapeDeviation {
  LargestDeviation outside;  ///< of the shape beyond the solid in the mesh
  LargestDeviation missing;  ///< of the solid in the mesh beyond the shape
  double tolerance = 0;      ///< what an import promises of both [m]

  const LargestDeviation& largest() const { return missing.distance > outside.distance ? missing : outside; }
  bool exceeds(double times) const { return largest().distance > times * tolerance; }
};

/// A shape that lies further off its mesh than so many times what is stated is refused.
inline constexpr double kMaxDeviationRatio = 10;

/// The directed Hausdorff distances between the solid in the mesh and the shape. Distances grow at corners,
/// so corners of both are measured, and where faces may lie further off than what was found they are divided,
/// as far as a fixed effort goes: a lower bound, close to `stated` where the effort sufficed. An open mesh is
/// measured by its triangles alone. `allowance` [m], of each triangle: what lies between it and the exact
/// round face that stands for it; it is subtracted.
ShapeDeviation measureDeviation(const Facets& facets, std::span<const double> allowance,
                                const physics::Shape& shape, double tolerance);

}  // namespace tenon::content
