// Range of the contacts of a pair, and when its motion is swept.
//
// A contact linearized at a distance is a plane, which holds for displacements below the size of the parts.
// So pairs that can move further than a fraction of the thinner part have only the contacts within that
// fraction; whether they meet further on their paths is decided by sweeping them (step/time_of_impact.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::physics {

/// Largest displacement of an unswept pair in a step, relative to the thinner part [-]: a ball that crosses
/// another of its size on a shorter chord overlaps it by at most 3.2 % of its diameter.
inline constexpr double kUnsweptFraction = 0.5;

/// Thickness of a part counts as at least this [m].
inline constexpr double kMinSweptThickness = 2e-4;

/// Relative displacement in a step beyond which a pair is swept [m]: never if a part is infinitely thick.
inline double unsweptDisplacement(double thicknessOfI, double thicknessOfJ) {
  if (std::isinf(thicknessOfI) || std::isinf(thicknessOfJ)) return std::numeric_limits<double>::infinity();
  return kUnsweptFraction * std::max(kMinSweptThickness, std::min(thicknessOfI, thicknessOfJ));
}

/// Largest distance of a contact of the pair [m], from the sum of the bodies' search margins [m].
inline double searchRange(double margins, double thicknessOfI, double thicknessOfJ) {
  return std::min(margins, unsweptDisplacement(thicknessOfI, thicknessOfJ));
}

}  // namespace tenon::physics
