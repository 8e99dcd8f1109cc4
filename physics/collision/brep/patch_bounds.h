// Proven bounds of the normals and curvatures of a patch, by the Bernstein form of its derivatives.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "physics/collision/brep/bezier_patch.h"

namespace tenon::physics::brep {

struct PatchBounds {
  /// By which normals tilt at most from that of the middle [rad]; π where nothing is proven.
  double tilt = std::numbers::pi;
  /// Bounds of the principal curvatures, positive where the surface bends towards u × v [1/m].
  std::array<double, 2> curvature{-HUGE_VAL, HUGE_VAL};
};

/// The derivatives of a patch, or of a part of it, by s and t of the patch, times the squares of its weights
/// relative to `weight`: polynomials of the same degrees in Bernstein form, whose values lie in the hull of
/// their coefficients. Those of second order but for multiples of the first ones, which are across the
/// normals [m].
struct PatchDerivatives {
  std::array<std::size_t, 2> degree{};
  std::vector<Vector3d> u, v, uu, uv, vv;
  double weight = 1;
};

PatchDerivatives derivativesOf(const BezierPatch& patch);
std::array<PatchDerivatives, 2> halves(const PatchDerivatives& whole, std::size_t direction);

/// Proven, but for rounding. `part`: that of the derivatives, with positive weights.
PatchBounds boundsOf(const PatchDerivatives& d, const BezierPatch& part);

}  // namespace tenon::physics::brep
