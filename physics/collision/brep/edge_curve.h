// The exact curve of an edge between two surfaces, and the border that it is for the face on either side.
#pragma once

#include <optional>
#include <span>

#include "physics/collision/brep/curve.h"
#include "physics/collision/brep/solid.h"

namespace tenon::physics::brep {

/// The line or circle through all `points` [m], which lie on both surfaces, in their order; its parameter
/// runs from the first to the last of them. Of a closed one the first point is also the last, and a circle
/// begins where the angle of a surface does. Empty where the surfaces meet in another curve.
std::optional<Curve> curveBetween(std::span<const Vector3d> points, bool isClosed, const Surface& left,
                                  const Surface& right);

/// Adds a curve to the trim of a face; false if it is no line of constant u or v there, nor a line or arc in
/// a plane.
bool addBorder(Face& face, const Curve& curve);

}  // namespace tenon::physics::brep
