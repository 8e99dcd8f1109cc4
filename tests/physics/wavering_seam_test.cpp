// Faces that a CAD system meant to continue each other smoothly, though it approximated one of them: along
// their border they waver about each other by fractions of a micrometer and a degree.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "physics/collision/brep/boundary_distance.h"
#include "physics/collision/brep/edge_curve.h"
#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/brep/triangle_solid.h"
#include "tests/support/freeform_surfaces.h"

namespace tenon::physics::brep::wavering_seam_test {
namespace {

/// A block |x| ≤ 2 half, |y| ≤ half above z = −half, whose top is the plane z = 0 for x < 0 and a height
/// field beyond. At x = 0 the field lies up to kGap above or below the plane, and its slope changes its sign
/// twice.
constexpr double kHalf = 0.01, kGap = 1.5e-7, kSlope = 2e-4;

tests::HeightField waveringField(double largestGap = kGap, double largestSlope = kSlope) {
  tests::HeightField field{kHalf, {}};
  const std::array<double, 5> side{1, -1, 1, -1, 1}, slope{1, -3, 5, -3, 1};
  for (std::size_t k = 0; k < 5; ++k) {
    field.height[0][k] = largestGap * side[k];
    // Four spans are 2 half long.
    field.height[1][k] = field.height[0][k] + largestSlope * slope[k] * kHalf / 2;
    for (std::size_t i = 2; i < 5; ++i) field.height[i][k] = -4e-4 * static_cast<double>(i * (k + 1));
  }
  return field;
}

BoundarySolid waveringBlock(const tests::HeightField& field) {
  constexpr int kCells = 16;  // across y; twice as many along x
  BoundarySolid solid;
  Surface form = field.surface();
  form.X_BS.p.x() = kHalf;
  Surface plane;
  solid.surfaces = {plane, form};
  const double cell = 2 * kHalf / kCells;
  const auto heightAt = [&](double x, double y) { return x < 0 ? 0 : field.at(x - kHalf, y); };
  for (int i = 0; i <= 2 * kCells; ++i)
    for (int k = 0; k <= kCells; ++k) {
      const double x = cell * (i - kCells), y = cell * k - kHalf;
      solid.vertices.emplace_back(x, y, heightAt(x, y));
      solid.vertices.emplace_back(x, y, -kHalf);
    }
  const auto above = [&](int i, int k) { return 2 * (i * (kCells + 1) + k); };
  const auto below = [&](int i, int k) { return above(i, k) + 1; };
  const auto quad = [&](int a, int b, int c, int d, int surface) {
    solid.triangles.push_back({a, b, c});
    solid.triangles.push_back({a, c, d});
    solid.surfaceOf.insert(solid.surfaceOf.end(), 2, surface);
  };
  for (int i = 0; i < 2 * kCells; ++i) {
    for (int k = 0; k < kCells; ++k) {
      quad(above(i, k), above(i + 1, k), above(i + 1, k + 1), above(i, k + 1), i < kCells ? 0 : 1);
      quad(below(i, k), below(i, k + 1), below(i + 1, k + 1), below(i + 1, k), -1);
    }
    quad(below(i, 0), below(i + 1, 0), above(i + 1, 0), above(i, 0), -1);
    quad(below(i + 1, kCells), below(i, kCells), above(i, kCells), above(i + 1, kCells), -1);
  }
  for (int k = 0; k < kCells; ++k) {
    quad(below(0, k + 1), below(0, k), above(0, k), above(0, k + 1), -1);
    quad(below(2 * kCells, k), below(2 * kCells, k + 1), above(2 * kCells, k + 1), above(2 * kCells, k), -1);
  }
  return solid;
}

TEST(WaveringSeam, BothFacesKeepTheirSurfaces) {
  for (const auto& [gap, slope] :
       {std::pair(kGap, kSlope), std::pair(9e-6, kSlope), std::pair(kGap, 0.018)}) {
    std::vector<int> flat;
    solidOfTriangles(waveringBlock(waveringField(gap, slope)), 1e-3, &flat);
    EXPECT_TRUE(flat.empty()) << gap << " m, " << slope;
  }
}

// Across the border a ball is at the distance of one of the faces, or of their border where both turn away.
TEST(WaveringSeam, ABallIsNowhereCloserOrFurtherThanItsFaces) {
  constexpr double kRadius = 2e-3;
  const tests::HeightField field = waveringField();
  const BoundarySolid block = waveringBlock(field);
  const Solid solid = solidOfTriangles(block, 1e-3), ball = solidOf(Sphere{kRadius});
  const Surface& form = block.surfaces[1];
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::array<int, 3> count{};  // nearest to plane, field, border
  for (int n = 0; n < 3000; ++n) {
    const double x = std::array{4e-7, 5e-5, 3e-3}[static_cast<std::size_t>(n % 3)] * unit(random),
                 y = 0.8 * kHalf * unit(random);
    const double gap = 1e-5 * unit(random);
    const Vector3d p(x, y, (x < 0 ? 0 : field.at(x - kHalf, y)) + kRadius + gap);
    double expected = HUGE_VAL;
    std::size_t nearest = 2;
    if (x <= 0) expected = p.z() - kRadius, nearest = 0;
    const Vector3d q = form.X_BS.inverse().point(p);
    const double distance = distanceValue(form, q) - kRadius;
    const Vector3d foot = p - (distance + kRadius) * distanceTo(form, q).gradient;
    if (foot.x() >= 0 && distance < expected) expected = distance, nearest = 1;
    if (nearest == 2) expected = std::hypot(p.x(), p.z() - field.at(-kHalf, y)) - kRadius;
    ++count[nearest];
    std::vector<SolidContact> found;
    findSolidContacts(ball, solid, Pose::at(p), 1e-4, found);
    double least = HUGE_VAL;
    for (const SolidContact& contact : found) least = std::min(least, contact.separation);
    // Within the corner's reach of the border either surface may be the face's: they differ by the gap.
    const bool isNearBorder = std::abs(std::min(x, foot.x())) < 2e-4 || std::abs(foot.x()) < 2e-4;
    EXPECT_NEAR(least, expected, isNearBorder ? 2 * kGap : 1e-11) << p.transpose();
  }
  for (const int k : count) EXPECT_GT(k, 10);
}

// The surface of a face may end a little before the face does: continued, it is the boundary there.
TEST(WaveringSeam, AFaceBeyondTheBorderOfItsSurfaceIsItsContinuation) {
  constexpr double kMissing = 2e-6;
  tests::HeightField field = waveringField();
  field.half = kHalf - kMissing;
  std::vector<int> flat;
  const Solid solid = solidOfTriangles(waveringBlock(field), 1e-3, &flat);
  ASSERT_TRUE(flat.empty());
  for (const double x : {0.003, 0.01, 0.016}) {
    const double y = kHalf - 0.5 * kMissing;
    const Vector3d p(x, y, field.at(x - kHalf, y));
    EXPECT_LT(distanceFromBoundary(solid, p, 1e-6).distance, 1e-9) << x;
  }
}

/// Two tori about z: the tube of the first one lies inside that of the second, which is ten times as thick,
/// and touches it along a circle, but for `misfit` [m], as tori do that are fitted to splines.
struct TouchingTori {
  explicit TouchingTori(double misfit) {
    inner.kind = outer.kind = SurfaceKind::torus;
    inner.radius = 1.98e-3;
    inner.minor = 0.02e-3;
    outer.radius = 2e-3;
    outer.minor = 0.2e-3 + misfit;
    outer.X_BS.p.z() = std::sqrt(0.18e-3 * 0.18e-3 - 0.02e-3 * 0.02e-3);
    across = Eigen::Vector2d(-0.02e-3, -outer.X_BS.p.z()) / 0.18e-3;
    touch = Eigen::Vector2d(1.98e-3, 0) + 0.02e-3 * across;
  }
  Surface inner, outer;
  Eigen::Vector2d across, touch;  ///< normal of both, and where they touch, as (ρ, z)
};

// The distances of both surfaces alone say little about where a corner near the circle belongs.
TEST(WaveringSeam, ACornerOfTangentSurfacesStaysThere) {
  for (int misfit = -40; misfit <= 40; ++misfit) {
    const TouchingTori tori(1e-11 * misfit);
    const std::array both{&tori.inner, &tori.outer};
    for (int beside = -20; beside <= 20; ++beside)
      for (int above = -4; above <= 4; ++above) {
        const Eigen::Vector2d along(-tori.across.y(), tori.across.x());
        const Eigen::Vector2d at = tori.touch + 1e-10 * beside * along + 5e-11 * above * tori.across;
        const Vector3d given(at.x() * std::cos(1.3), at.x() * std::sin(1.3), at.y());
        Vector3d p = given;
        ASSERT_TRUE(moveOnto(both, 5e-5, p)) << misfit << " " << beside << " " << above;
        EXPECT_LT((p - given).norm(), 2e-7) << misfit << " " << beside << " " << above;
        for (const Surface* s : both)
          EXPECT_NEAR(shapeAt(*s, p).distance, 0, 1e-9) << misfit << " " << beside << " " << above;
      }
  }
}

/// A rod about z whose upper rim is rounded by a hundredth of its radius [m], with chords of a 67th of a
/// turn, and rows of facets on the rim: the first is the highest, and still less than their sagitta.
constexpr double kRod = 2e-3, kRounding = 0.02e-3;

BoundarySolid roundedRod() {
  constexpr int kColumns = 67, kRows = 46;
  constexpr double kFirstRow = 0.07;  // [rad]
  const double turn = 2 * std::acos(-1.0) / kColumns;
  BoundarySolid rod;
  Surface top, rounding, wall, bottom;
  rounding.kind = SurfaceKind::torus;
  rounding.radius = kRod - kRounding;
  rounding.minor = kRounding;
  wall.kind = SurfaceKind::cylinder;
  wall.radius = kRod;
  top.X_BS.p.z() = kRounding;
  bottom.X_BS.p.z() = -kRod;
  bottom.X_BS.R = Eigen::AngleAxisd(std::acos(-1.0), Vector3d::UnitX()).toRotationMatrix();
  rod.surfaces = {top, rounding, wall, bottom};
  const auto addRing = [&](double rho, double z) {
    for (int k = 0; k < kColumns; ++k)
      rod.vertices.emplace_back(rho * std::cos(turn * k), rho * std::sin(turn * k), z);
  };
  for (int row = 0; row <= kRows; ++row) {
    const double angle =
        row == 0 ? 0 : kFirstRow + (0.5 * std::acos(-1.0) - kFirstRow) * (row - 1) / (kRows - 1);
    addRing(kRod - kRounding + kRounding * std::sin(angle), kRounding * std::cos(angle));
  }
  addRing(kRod, -kRod);
  const auto add = [&](int a, int b, int c, int surface) {
    rod.triangles.push_back({a, b, c});
    rod.surfaceOf.push_back(surface);
  };
  for (int row = 0; row <= kRows; ++row)
    for (int k = 0; k < kColumns; ++k) {
      const int a = row * kColumns + k, b = row * kColumns + (k + 1) % kColumns, c = b + kColumns,
                d = a + kColumns, surface = row < kRows ? 1 : 2;
      add(a, d, c, surface);
      add(a, c, b, surface);
    }
  const int low = (kRows + 1) * kColumns;
  for (int k = 1; k + 1 < kColumns; ++k) {
    add(0, k, k + 1, 0);
    add(low, low + k + 1, low + k, 3);
  }
  return rod;
}

TEST(WaveringSeam, ARowOfFacetsLowerThanItsChordsKeepsItsSurface) {
  std::vector<int> flat;
  const Solid solid = solidOfTriangles(roundedRod(), 1e-5, &flat);
  EXPECT_TRUE(flat.empty());
  const double side = kRounding * std::sqrt(0.5);
  const Vector3d p(kRod - kRounding + side, 0, side);
  EXPECT_LT(distanceFromBoundary(solid, p, 1e-6).distance, 1e-12);
}

/// Σ c x^p y^q as a height field: the coefficient of Bernstein polynomial i of x^p is the mean product of p
/// of its 4 arguments, of which i are half and the others −half.
void addTerm(double c, int p, int q, tests::HeightField& field) {
  const auto coefficient = [&](int power, std::size_t i) {
    std::array<double, 5> products{1, 0, 0, 0, 0};  // sums of products of so many of the arguments
    for (std::size_t n = 0; n < 4; ++n)
      for (std::size_t k = 4; k > 0; --k) products[k] += products[k - 1] * (n < i ? field.half : -field.half);
    constexpr std::array<double, 5> kCount{1, 4, 6, 4, 1};
    return products[static_cast<std::size_t>(power)] / kCount[static_cast<std::size_t>(power)];
  };
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 5; ++k) field.height[i][k] += c * coefficient(p, i) * coefficient(q, k);
}

// Two surfaces that touch along y = k x², z = a x², where their curvatures differ by a thousandth.
TEST(WaveringSeam, SurfacesOfNearlyTheSameCurvatureMeetWhereTheirMeshSays) {
  constexpr double kBow = 10, kCurvature = 12, kDifference = 0.012;  // [1/m]
  tests::HeightField one{kHalf, {}};
  addTerm(kCurvature, 2, 0, one);
  tests::HeightField other = one;
  addTerm(kDifference, 0, 2, other);
  addTerm(-2 * kDifference * kBow, 2, 1, other);
  addTerm(kDifference * kBow * kBow, 4, 0, other);
  std::vector<Vector3d> points;
  for (int k = -16; k <= 16; ++k) {
    const double x = 0.5 * kHalf * k / 16;
    points.emplace_back(x, kBow * x * x, kCurvature * x * x);
  }
  const std::vector<Curve> curves = curvesBetween(points, false, one.surface(), other.surface());
  ASSERT_FALSE(curves.empty());
  for (const Curve& curve : curves)
    for (const double part : {0.0, 0.3, 0.5, 1.0}) {
      const Vector3d p = curve.at(curve.range[0] + part * (curve.range[1] - curve.range[0]));
      EXPECT_NEAR(p.y(), kBow * p.x() * p.x(), 1e-6);
      for (const tests::HeightField& field : {one, other})
        EXPECT_NEAR(shapeAt(field.surface(), p).distance, 0, 1e-9);
    }
}

}  // namespace
}  // namespace tenon::physics::brep::wavering_seam_test
