// The patches of a face with a surface other than the simple ones.
#pragma once

#include <memory>

#include "physics/collision/brep/freeform.h"

class TopoDS_Face;

namespace tenon::content {

/// Largest deviation of the patches from the surface of the file [m].
inline constexpr double kFreeformDeviation = 1e-10;

/// The rational Bézier patches of the part of its surface that a face may use: B-splines and what is exactly
/// one, as surfaces of extrusion and revolution. Null where they deviate from the surface (offset surfaces),
/// have a pole or a crease, or close upon themselves in both directions.
std::shared_ptr<const physics::brep::FreeformSurface> freeformOf(const TopoDS_Face& face);

}  // namespace tenon::content
