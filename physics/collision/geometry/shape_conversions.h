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

/// Approximation with faceted holes, for pairs that need convex parts. Each cavity becomes the largest
/// lead-in and flat-floored bore inside it (exact up to facets for plain, chamfered and blind holes).
/// Cavities whose axis differs from that of most others are filled; all are filled if straight cuts cannot
/// separate them.
PlacedShape facetedBlockOf(const BlockWithHoles& block);

/// Upper bound on the facets that facetedBlockOf() creates for a block with this many cavities.
int facetsPerHole(std::size_t cavities);

/// Size measure of a shape, limited in scenes: 1 per shape, plus 1 per vertex of a hull, 64 vertices of a
/// polyhedron, point of a profile or facet of a hole; children of compounds included.
int convexPartCount(const Shape& shape);

}  // namespace tenon::physics
