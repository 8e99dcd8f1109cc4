// SolidOfRevolution shapes from and to the other shapes that say the same, or nearly.
#pragma once

#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

/// The same solid as a profile.
SolidOfRevolution revolvedOf(const Cylinder& cylinder);
SolidOfRevolution revolvedOf(const Frustum& frustum);

/// Frustums that fill the solid, stacked without overlap. An undercut (z going back) counts as filled.
std::vector<PlacedShape> frustumsOf(const SolidOfRevolution& turned);

/// A block with faceted holes, for partners that know convex pieces only. Of each cavity as much is open as
/// a lead-in and a bore with a flat floor can be without leaving it (that is all of it for plain, chamfered
/// and blind holes but the facets' corners); cavities that open across the axis of the others, and all where
/// no straight cuts keep them apart, are filled.
/// `facetsPerHole` this many cavities it makes at most so many facets.
PlacedShape facetedBlockOf(const BlockWithHoles& block);
int facetsPerHole(std::size_t cavities);

/// Convex pieces that a shape may cost, as scenes are bounded by: one a shape, and one a hull's vertex, a
/// profile's point or a hole's facet; a compound's children included.
int convexPartCount(const Shape& shape);

}  // namespace tenon::physics
