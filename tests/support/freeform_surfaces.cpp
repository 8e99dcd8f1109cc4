// See freeform_surfaces.h.
#include "tests/support/freeform_surfaces.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace tenon::tests {
namespace {

using physics::SurfaceKind;
using physics::brep::BezierPatch;
using physics::brep::FreeformSurface;

/// Bézier points (ρ, z) of a outline with their weights.
struct WeightedPoint {
  double rho = 0, z = 0, weight = 1;
};

/// Those of an arc, quadratic and rational.
std::array<WeightedPoint, 3> arc(double radius, double from, double to) {
  const double half = 0.5 * (to - from), middle = 0.5 * (from + to), far = radius / std::cos(half);
  return {{{radius * std::cos(from), radius * std::sin(from), 1},
           {far * std::cos(middle), far * std::sin(middle), std::cos(half)},
           {radius * std::cos(to), radius * std::sin(to), 1}}};
}

BezierPatch turned(const std::vector<WeightedPoint>& outline, double from, double to) {
  BezierPatch patch;
  patch.degree = {2, static_cast<int>(outline.size()) - 1};
  for (const WeightedPoint& around : arc(1, from, to))
    for (const WeightedPoint& p : outline) {
      const double w = around.weight * p.weight;
      patch.points.emplace_back(w * p.rho * around.rho, w * p.rho * around.z, w * p.z, w);
    }
  return patch;
}

}  // namespace

physics::Surface freeformTwin(const physics::Surface& surface, double low, double high) {
  constexpr int kAround = 6;
  const bool isTorus = surface.kind == SurfaceKind::torus;
  const int along = isTorus ? 1 + static_cast<int>((high - low) / (std::numbers::pi / 3)) : 1;
  const double turn = 2 * std::numbers::pi / kAround, part = (high - low) / along;
  std::vector<BezierPatch> patches;
  for (int i = 0; i < kAround; ++i)
    for (int k = 0; k < along; ++k) {
      std::vector<WeightedPoint> outline;
      if (isTorus)
        for (WeightedPoint p : arc(surface.minor, low + k * part, low + (k + 1) * part)) {
          p.rho += surface.radius;
          outline.push_back(p);
        }
      else
        for (const double z : {low, high}) outline.push_back({surface.radius + surface.slope * z, z, 1});
      BezierPatch patch = turned(outline, i * turn, (i + 1) * turn);
      patch.low = {i * turn, low + k * part};
      patch.high = {i + 1 == kAround ? 2 * std::numbers::pi : (i + 1) * turn, low + (k + 1) * part};
      patches.push_back(std::move(patch));
    }
  physics::Surface twin;
  twin.kind = SurfaceKind::freeform;
  twin.X_BS = surface.X_BS;
  twin.side = surface.side;
  twin.freeform = std::make_shared<const FreeformSurface>(std::move(patches), true);
  return twin;
}

double HeightField::at(double x, double y) const {
  const auto bernstein = [&](double t) {
    const double r = 1 - t;
    return std::array{r * r * r * r, 4 * r * r * r * t, 6 * r * r * t * t, 4 * r * t * t * t, t * t * t * t};
  };
  const auto bx = bernstein(0.5 + 0.5 * x / half), by = bernstein(0.5 + 0.5 * y / half);
  double z = 0;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 5; ++k) z += bx[i] * by[k] * height[i][k];
  return z;
}

physics::Surface HeightField::surface() const {
  BezierPatch patch;
  patch.degree = {4, 4};
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 5; ++k)
      patch.points.emplace_back(half * (0.5 * static_cast<double>(i) - 1),
                                half * (0.5 * static_cast<double>(k) - 1), height[i][k], 1);
  physics::Surface s;
  s.kind = SurfaceKind::freeform;
  s.freeform = std::make_shared<const FreeformSurface>(std::vector{std::move(patch)}, false);
  return s;
}

}  // namespace tenon::tests
