// Error measures that propagate NaN. std::min and std::max may drop a NaN, and the error would then look
// small.
#pragma once

#include <cmath>

namespace tenon::physics {

/// The larger of two numbers; NaN if either is NaN.
inline double nanMax(double a, double b) {
  return b <= a || std::isnan(a) ? a : b;
}

/// |min(y, z)|: distance of a pair from complementarity y ≥ 0, z ≥ 0, y z = 0; NaN if either is NaN.
inline double complementarityError(double y, double z) {
  return std::abs(z < y || std::isnan(z) ? z : y);
}

}  // namespace tenon::physics
