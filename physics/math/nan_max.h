// Sizes of errors in which a number that is none is never overlooked: std::min and std::max pass over a
// NaN, and an error that is no number would then count as small.
#pragma once

#include <cmath>

namespace tenon::physics {

/// The larger of two; NaN where either is one.
inline double nanMax(double a, double b) {
  return b <= a || std::isnan(a) ? a : b;
}

/// |min(y, z)|: how far a pair is from y ≥ 0, z ≥ 0, y z = 0; NaN where either is one.
inline double complementarityError(double y, double z) {
  return std::abs(z < y || std::isnan(z) ? z : y);
}

}  // namespace tenon::physics
