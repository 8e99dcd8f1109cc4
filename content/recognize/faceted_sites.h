// Holes and ends whose walls are recognized as cylinders, but collide as facets.
#pragma once

#include <vector>

#include "content/recognize/round_sites.h"
#include "content/recognize/smooth_regions.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// The holes and ends, as roundSites() finds them, with a wall that collides as its facets. `solid` has the
/// surfaces and the holes found so far, `recognized` the surface of each triangle as recognized, whether it
/// collides on it or not. Radii of a profile are those of the largest circles about its axis between the
/// facets. Left out are triangles that are `isNamed`, and a hole about the axis of one of `solid` that is
/// equally wide.
std::vector<RoundSite> facetedSites(const Facets& facets, const physics::BoundarySolid& solid,
                                    const std::vector<int>& recognized, const std::vector<char>& isNamed);

}  // namespace tenon::content
