// Names the holes and ends of a part on its own faces that are no full circles, and those that collide as
// facets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "content/recognize/chain_shapes.h"

namespace tenon::content {

/// Result of nameSites().
struct NamedSites {
  std::map<int, std::string> nameOf;  ///< the hole or end of triangles
  std::vector<std::string> faceted;   ///< names of holes and ends that collide as facets
};

/// Adds holes to `solid` and ends to `ends` after those that have names, in this order: holes and ends of its
/// surfaces, prisms of a mesh (polygonHoles()), cylinders that collide as facets (facetedSites()).
/// `recognized`: the surface of each triangle before some became facets; `isNamed`: the triangles of holes
/// and ends that have names.
NamedSites nameSites(const RecognitionInput& input, const std::vector<int>& recognized,
                     std::vector<char> isNamed, physics::BoundarySolid& solid,
                     std::vector<AxisFeature>& ends);

}  // namespace tenon::content
