// Bounds of the normals and curvatures of patches hold at every point, and are not much wider than these.
#include "physics/collision/brep/patch_bounds.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "physics/collision/brep/bernstein.h"
#include "physics/collision/brep/freeform.h"
#include "physics/collision/brep/patch_cells.h"
#include "physics/collision/geometry/surface.h"
#include "tests/support/freeform_surfaces.h"

namespace tenon::physics::brep {
namespace {

constexpr double kRounding = 1e-9;

/// At points of a grid: the largest tilt from the normal of the middle [rad], least and largest curvature
/// [1/m].
struct Sampled {
  double tilt = 0, least = HUGE_VAL, most = -HUGE_VAL;
};

Sampled sampled(const BezierPatch& patch) {
  constexpr int kSamples = 40;
  Sampled all;
  const Vector3d n = patchPoint(patch, 0.5, 0.5).normal();
  for (int i = 0; i <= kSamples; ++i)
    for (int k = 0; k <= kSamples; ++k) {
      const FreeformPoint at =
          patchPoint(patch, static_cast<double>(i) / kSamples, static_cast<double>(k) / kSamples);
      all.tilt = std::max(all.tilt, std::atan2(n.cross(at.normal()).norm(), n.dot(at.normal())));
      const Eigen::Vector2cd curvature = at.shapeOperator().eigenvalues();
      all.least = std::min({all.least, curvature[0].real(), curvature[1].real()});
      all.most = std::max({all.most, curvature[0].real(), curvature[1].real()});
    }
  return all;
}

/// A square of 10 mm, skewed, whose points are moved and weighted at random.
BezierPatch randomPatch(std::mt19937& random, int degreeS, int degreeT, double bumps, double weights) {
  std::uniform_real_distribution<double> unit(-1, 1);
  BezierPatch patch;
  patch.degree = {degreeS, degreeT};
  const Vector3d s(10e-3, 0, 0), t(4e-3 * unit(random), 10e-3, 0);
  for (int i = 0; i <= degreeS; ++i)
    for (int k = 0; k <= degreeT; ++k) {
      const Vector3d moved = bumps * Vector3d(unit(random), unit(random), unit(random));
      const double w = std::exp(weights * unit(random));
      Eigen::Vector4d q;
      q << w * (s * i / degreeS + t * k / degreeT + moved), w;
      patch.points.push_back(q);
    }
  return patch;
}

TEST(PatchBounds, HoldAtEveryPoint) {
  std::mt19937 random(5);
  int proven = 0;
  for (int n = 0; n < 120; ++n) {
    const int degreeS = 1 + n % 5, degreeT = 1 + n / 5 % 4;
    const double bumps = (n % 3 + 1) * 0.15e-3 / std::max(degreeS, degreeT), weights = n % 2 ? 0 : 0.1;
    const BezierPatch patch = randomPatch(random, degreeS, degreeT, bumps, weights);
    const PatchBounds bounds = boundsOf(derivativesOf(patch), patch);
    const Sampled all = sampled(patch);
    if (bounds.tilt < std::numbers::pi && std::isfinite(bounds.curvature[0])) ++proven;
    EXPECT_LE(all.tilt, bounds.tilt + kRounding) << n;
    EXPECT_GE(all.least, bounds.curvature[0] - kRounding) << n;
    EXPECT_LE(all.most, bounds.curvature[1] + kRounding) << n;
  }
  EXPECT_GT(proven, 100);
}

TEST(PatchBounds, OfHalvesWithWeightsHold) {
  std::mt19937 random(6);
  int proven = 0;
  for (int n = 0; n < 30; ++n) {
    const BezierPatch patch = randomPatch(random, 2 + n % 3, 2 + n % 2, 0.1e-3, 0.2);
    const PatchDerivatives whole = derivativesOf(patch);
    for (const std::size_t direction : {std::size_t{0}, std::size_t{1}})
      for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
        const BezierPatch part = halves(patch, direction)[half];
        const PatchBounds bounds = boundsOf(halves(whole, direction)[half], part);
        const Sampled all = sampled(part);
        if (std::isfinite(bounds.curvature[0])) ++proven;
        EXPECT_LE(all.tilt, bounds.tilt + kRounding) << n;
        EXPECT_GE(all.least, bounds.curvature[0] - kRounding) << n;
        EXPECT_LE(all.most, bounds.curvature[1] + kRounding) << n;
      }
  }
  EXPECT_GT(proven, 20);
}

// A fold has no normal: nothing is proven of it.
TEST(PatchBounds, ProveNothingOfAFold) {
  BezierPatch patch;
  patch.degree = {2, 1};
  for (const double x : {0.0, 10e-3, 0.0})
    for (const double y : {0.0, 10e-3}) patch.points.emplace_back(x, y, 0, 1);
  EXPECT_EQ(boundsOf(derivativesOf(patch), patch).tilt, std::numbers::pi);
}

TEST(PatchBounds, OfPartsOfSimpleSurfacesAreTheirs) {
  for (const SurfaceKind kind : {SurfaceKind::cylinder, SurfaceKind::torus}) {
    Surface simple;
    simple.kind = kind;
    simple.radius = 8e-3;
    simple.minor = 2e-3;
    const Surface twin = tests::freeformTwin(simple, -1e-3, 1e-3);
    for (int k = 0; k < twin.freeform->patchCount(); ++k)
      for (const BezierPatch& half : halves(twin.freeform->patch(k), 0)) {
        const PatchBounds bounds = boundsOf(derivativesOf(half), half);
        const Sampled all = sampled(half);
        const double width = std::max(std::abs(all.least), std::abs(all.most));
        EXPECT_LT(bounds.tilt, 1.6 * all.tilt);
        EXPECT_GT(bounds.curvature[0], all.least - 0.4 * width);
        EXPECT_LT(bounds.curvature[1], all.most + 0.4 * width);
      }
  }
}

/// A ruled patch of 8 mm, z = c ∫ Π (s − k/8) ds over k = 0 … 8: its normals at the corners and middles of
/// all leaves are those of a plane, and tilt by up to `slope` between them.
BezierPatch waveBetweenSamples(double slope) {
  constexpr int kZeros = 9, kDegree = kZeros + 1;
  constexpr double kLength = 8e-3;
  std::vector<double> power{1};
  for (int zero = 0; zero < kZeros; ++zero) {
    std::vector<double> next(power.size() + 1, 0.0);
    for (std::size_t i = 0; i < power.size(); ++i) {
      next[i + 1] += power[i];
      next[i] -= power[i] * zero / 8;
    }
    power = next;
  }
  double largest = 0;
  for (int k = 0; k <= 1000; ++k) {
    double product = 1;
    for (int zero = 0; zero < kZeros; ++zero) product *= k / 1000.0 - zero / 8.0;
    largest = std::max(largest, std::abs(product));
  }
  std::array<double, kDegree + 1> integral{};
  for (std::size_t i = 0; i < power.size(); ++i)
    integral[i + 1] = slope * kLength / largest * power[i] / static_cast<double>(i + 1);
  BezierPatch patch;
  patch.degree = {kDegree, 1};
  for (std::size_t j = 0; j <= kDegree; ++j) {
    double z = 0;
    for (std::size_t i = 0; i <= j; ++i) z += kBinomials[j][i] / kBinomials[kDegree][i] * integral[i];
    for (const double y : {0.0, kLength})
      patch.points.emplace_back(kLength * static_cast<double>(j) / kDegree, y, z, 1);
  }
  return patch;
}

TEST(PatchCells, HaveTheNormalsBetweenTheirCornersAndMiddles) {
  const BezierPatch patch = waveBetweenSamples(0.15);
  const PatchCells cells(patch, Vector2d::Zero(), Vector2d::Ones());
  for (int k = 0; k <= 1000; ++k) {
    const FreeformPoint at = patchPoint(patch, k / 1000.0, 0.3);
    EXPECT_TRUE(cells.hasLeaf([&](const PatchCell& cell) {
      return cell.mayHaveNormal(1, at.normal(), 1e-9) &&
             cell.mayReach(1, cell.axes.transpose() * (at.p + 1e-3 * at.normal() - cell.center),
                           Vector3d::Zero(), 2e-3);
    })) << k;
  }
}

}  // namespace
}  // namespace tenon::physics::brep
