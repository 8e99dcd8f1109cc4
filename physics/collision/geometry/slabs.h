// A profile of revolution cut by height into frustums.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::physics {

/// Frustum between two heights, with the radii of the outermost segment that spans them. All [m].
struct Slab {
  double low = 0, high = 0;
  double lowRadius = 0, highRadius = 0;
};

/// Slabs of a profile of points (z, r), from the bottom up, without slabs of zero height. Their union is the
/// solid filled up to its largest radius at each height: undercuts are filled.
std::vector<Slab> slabsOf(const std::vector<Eigen::Vector2d>& profile);

}  // namespace tenon::physics
