// Proven bounds of the normals and curvatures of a patch, by the Bernstein form of its derivatives.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/bezier_patch.h"

namespace tenon::physics::brep {

struct PatchBounds {
  /// By which normals tilt at most from that of the middle [rad]; π where nothing is proven.
  double tilt = std::numbers::pi;
  /// Bounds of the principal curvatures, positive where the surface bends towards u × v [1/m].
  std::array<double, 2> curvature{-HUGE_VAL, HUGE_VAL};
};

/// Of a patch with positive weights, but for rounding. The numerators of its derivatives are polynomials in
/// Bernstein form, whose values lie in the hull of their coefficients.
PatchBounds boundsOfDerivatives(const BezierPatch& patch);

}  // namespace tenon::physics::brep
