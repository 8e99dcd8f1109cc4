// Free-form surfaces for tests: the rational patches of surfaces of revolution, and a height field.
#pragma once

#include <array>

#include "physics/collision/brep/freeform.h"
#include "physics/collision/geometry/surface.h"

namespace tenon::tests {

/// A cylinder or cone between z = low and high [m], or a torus between these angles of its tube [rad], as
/// patches of a sixth of a turn; all around its axis. Its parameters are others.
physics::Surface freeformTwin(const physics::Surface& surface, double low, double high);

/// z = Σ b_i b_k height[i][k] over |x|, |y| ≤ half [m], with Bernstein polynomials of degree 4.
struct HeightField {
  double half = 0;
  std::array<std::array<double, 5>, 5> height{};  ///< [m]

  double at(double x, double y) const;
  /// With the material below it.
  physics::Surface surface() const;
};

}  // namespace tenon::tests
