// Collider with Bullet's broadphase and narrowphase. Includes no Bullet header.
#pragma once

#include <memory>

#include "physics/collision/collider.h"

namespace tenon::physics {

/// A collider with no bodies. Its addBody() throws std::invalid_argument for hulls without volume and
/// faceted blocks that cannot be made (see problemWith(const FacetedBlock&)).
///
/// Distances: from features in closed form, exact to rounding (1e-15 m at 0.1 m), wherever the closest
/// points are a face, an edge against a curved side, or round cores; by Bullet's GJK and EPA in
/// millimeters for the rest, to about 1e-9 m.
std::unique_ptr<Collider> makeBulletCollider();

}  // namespace tenon::physics
