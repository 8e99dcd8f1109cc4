// Conversions between shapes of revolution and other shapes, exact or approximate.
#pragma once

#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

/// The same solid as a solid of revolution.
SolidOfRevolution revolvedOf(const Cylinder& cylinder);
SolidOfRevolution revolvedOf(const Frustum& frustum);

/// Stacked frustums that fill the solid without overlap. Undercuts (z going back) are filled.
std::vector<PlacedShape> frustumsOf(const SolidOfRevolution& solid);

/// Size measure of a shape, limited in scenes: 1 per shape, plus 1 per vertex of a hull, 64 vertices of a
/// polyhedron, point of a profile or facet of a faceted hole; children of compounds included.
int convexPartCount(const Shape& shape);

}  // namespace tenon::physics
