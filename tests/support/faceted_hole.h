// How deep a solid of revolution is in a block with faceted holes, by geometry alone: planes, circles and
// polygons. Calls nothing of the engine but the shapes' values and poses.
#pragma once

#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::tests {

/// A corner of a solid of revolution's profile: radius `r` [m] at height `z` [m] along its axis.
struct ProfilePoint {
  double z = 0, r = 0;
};

/// Depth of `p` (block's frame) in the material of the block: distance to the nearest point outside it
/// or in a hole; 0 outside and in a hole. Exact; the holes are those of FacetedBlock, `sectors` planes.
double depthInBlock(const physics::FacetedBlock& block, const physics::Vector3d& p);

/// Signed depth of `p` (peg's frame) in the solid of revolution of `profile` about z, negative outside.
double depthInPeg(const std::vector<ProfilePoint>& profile, const physics::Vector3d& p);

/// Deepest overlap [m] of a peg and a block, 0 where they do not overlap: the larger of the greatest
/// depth of a point of the peg's rims in the block, and of a point of the block's edges (mouth, foot of
/// the chamfer, far end, outside) in the peg. Overlap of a part with flat facets and a part with
/// straight generator lines is deepest at one of those. `profile` runs from the lower to the upper end;
/// it is closed by flat ends, and two points at one z are a shoulder. Error below 1e-9 m for overlaps
/// below a tenth of a millimeter: extremes along each rim and edge are refined by golden section.
double penetration(const physics::FacetedBlock& block, const physics::Pose& X_WB,
                   const std::vector<ProfilePoint>& profile, const physics::Pose& X_WP);

}  // namespace tenon::tests
