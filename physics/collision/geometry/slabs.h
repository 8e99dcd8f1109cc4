// A profile of revolution cut by height into frustums.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::physics {

/// Between two heights, at which the radii are those of the outermost segment that spans them. All [m].
struct Slab {
  double low = 0, high = 0;
  double lowRadius = 0, highRadius = 0;
};

/// Of a profile of points (z, r), from the bottom up, without slabs of no height: their union is the solid
/// filled up to its largest radius at every height, as an undercut's inner side hides behind its outer one.
std::vector<Slab> slabsOf(const std::vector<Eigen::Vector2d>& profile);

}  // namespace tenon::physics
