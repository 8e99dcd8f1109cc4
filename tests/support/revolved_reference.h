// Distances of solids of revolution by their definitions and by brute force: what exact contacts are checked
// against. Calls nothing of the engine but the shapes' values and poses.
#pragma once

#include <functional>

#include "physics/collision/geometry/revolved_shapes.h"

namespace tenon::test {

/// Signed distance of a point to the solid [m]: to all convex parts of its surface one by one, the sign by
/// membership. Exact.
double referenceDistance(const physics::SolidOfRevolution& solid, const physics::Vector3d& p);
double referenceDistance(const physics::BlockWithHoles& solid, const physics::Vector3d& p);

/// The distances to one block, for many points. The block must outlive it.
using BlockDistance = std::function<double(const physics::Vector3d&)>;
BlockDistance distanceTo(const physics::BlockWithHoles& solid);

/// Least signed distance of a point of A's surface to B [m]: a dense grid on every flank of A, its best
/// cells refined by golden sections. To about 1e-12 m where the two do not overlap.
double referenceSeparation(const physics::SolidOfRevolution& a, const physics::BlockWithHoles& b,
                           const physics::Pose& X_BA);
double referenceSeparation(const physics::SolidOfRevolution& a, const physics::SolidOfRevolution& b,
                           const physics::Pose& X_BA);

/// Deepest overlap [m] of a solid of revolution and a block, 0 where they do not overlap: the greatest depth
/// of a point of the part's rims in the block, or of a point of the block's rims and edges in the part.
/// Overlap of solids with straight generator lines begins at one of those.
double referencePenetration(const physics::SolidOfRevolution& a, const physics::BlockWithHoles& b,
                            const physics::Pose& X_BA);

}  // namespace tenon::test
